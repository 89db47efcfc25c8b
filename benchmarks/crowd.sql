-- Fills an empty database with people and matches, made from the moulds of benchmarks/crowd.py.

SET session_replication_role = replica;

INSERT INTO players (id, name, created_at) OVERRIDING SYSTEM VALUE
SELECT n, 'Player ' || n, now() - interval '1 year' FROM generate_series(1, :people) n;

INSERT INTO addresses (email, player_id, created_at, verified_at, is_main)
SELECT 'player.' || n || '@example.org', n, now(), now(), true FROM generate_series(1, :people) n;

CREATE TEMP TABLE crowd AS
SELECT n, substr(md5(n::text), 1, 20) AS id, moulds.*,
  CASE WHEN n <= :running THEN 'running' WHEN n <= :running + :waiting THEN 'inviting' ELSE 'over' END AS state
FROM generate_series(1, :matches) n JOIN moulds ON moulds.number = n % :moulds;

INSERT INTO matches (
  id, game, edition, options, public, creator_seat, host_id, rated, time_control, open_seats,
  state, created_at, started_at, ended_at,
  secret, commitment, seed, chain_head, log_length, ply, next_ply, to_move, result
)
SELECT
  id, game, 1, options, n % 10 > 0, 1, 1 + n % :people, n % 2 = 0,
  CASE WHEN n % 3 = 0 THEN 'none' ELSE '3 days' END,
  CASE WHEN state = 'inviting' THEN seats - 1 ELSE 0 END,
  state, now() - n * interval '1 minute',
  CASE WHEN state <> 'inviting' THEN now() - n * interval '1 minute' END,
  CASE WHEN state = 'over' THEN now() - n * interval '30 seconds' END,
  sha256(id::bytea), sha256(id::bytea), CASE WHEN state <> 'inviting' THEN :seed END, sha256(id::bytea),
  CASE state WHEN 'inviting' THEN 0 WHEN 'over' THEN length + 1 ELSE length END,
  CASE WHEN state = 'inviting' THEN 1 ELSE ply END,
  CASE WHEN state = 'inviting' THEN 1 ELSE length + 1 END,
  CASE WHEN state = 'running' THEN to_move ELSE '{}' END,
  CASE WHEN state = 'over' THEN '{"scores": null, "winners": [1], "ending": "resigned"}'::jsonb END
FROM crowd;

INSERT INTO match_seats (match_id, seat, default_entropy, accepted_at)
SELECT id, seat, md5(id || seat), CASE WHEN seat = 1 OR state <> 'inviting' THEN now() END
FROM crowd, generate_series(1, seats) seat;

INSERT INTO seat_holders (match_id, seat, player_id, name, email, seated_at)
SELECT id, seat, who, 'Player ' || who, 'player.' || who || '@example.org', now()
FROM crowd, generate_series(1, seats) seat, LATERAL (
  SELECT CASE WHEN seat = 1 AND n <= :busy THEN 1 ELSE 1 + (n::bigint * 7919 + seat * 2503) % :people END AS who
) chosen
WHERE state <> 'inviting' OR seat = 1;

INSERT INTO log_entries (match_id, number, ply, seat, move, logged_at, salt)
SELECT id, mould_log.number, mould_log.number, seat, move, now() - n * interval '20 seconds', sha256(id::bytea)
FROM crowd JOIN mould_log ON mould_log.mould = crowd.number
WHERE state <> 'inviting';

INSERT INTO log_entries (match_id, number, seat, event, "by", detail, logged_at, salt)
SELECT id, length + 1, 2, 'resigned', 'seat 2', '{}', now() - n * interval '20 seconds', sha256(id::bytea)
FROM crowd
WHERE state = 'over';

INSERT INTO deadlines (match_id, seat, ply, asked_at, due_at, next_action_at)
SELECT id, seat, ply, now() - interval '1 day', due_at, due_at
FROM crowd, unnest(to_move) seat, LATERAL (
  SELECT CASE WHEN n % 3 > 0 THEN now() + n * interval '1 minute' END AS due_at
) chosen
WHERE state = 'running';

SELECT setval(pg_get_serial_sequence('players', 'id'), :people);

SET session_replication_role = origin;
