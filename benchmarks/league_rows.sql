CREATE TEMP TABLE members AS
SELECT id AS player, 'P' || id AS name, (row_number() OVER (ORDER BY id) - 1) / 5 + 1 AS grp
FROM (SELECT id FROM players WHERE NOT is_robot ORDER BY id LIMIT :entrants) AS people;

CREATE TEMP TABLE pairs AS
SELECT 'season' || row_number() OVER () AS match, one.grp, one.player AS first, other.player AS second,
    one.name AS first_name, other.name AS second_name, row_number() OVER () % 4 > 0 AS is_over
FROM members AS one JOIN members AS other ON other.grp = one.grp AND other.player > one.player;

INSERT INTO events (kind, game, options, time_control, season, state, opens_at, draws_at, starts_at, ends_at)
VALUES ('league', 'martian-whist', '{"sets": 2}', 'league', 1, 'running', now() - interval '90 days',
    now() - interval '32 days', now() - interval '30 days', now() + interval '100 days');

INSERT INTO entrants (event_id, player_id, name, grp, entered_at)
SELECT events.id, player, members.name, grp, now() - interval '40 days' FROM members, events;

INSERT INTO matches (id, game, edition, options, public, time_control, rated, state, created_at, started_at, ended_at,
    secret, commitment, seed, chain_head, result, event_id)
SELECT match, 'martian-whist', 1, '{"sets": 2}', true, 'league', true,
    CASE WHEN is_over THEN 'over' ELSE 'running' END, now() - interval '32 days', now() - interval '30 days',
    CASE WHEN is_over THEN now() - interval '3 days' END, :seed, :seed, :seed, :seed,
    CASE WHEN is_over THEN '{"ending": "finished", "winners": [1], "scores": {"1": 7, "2": 4}}'::jsonb END, events.id
FROM pairs, events;

INSERT INTO match_seats (match_id, seat, default_entropy, accepted_at)
SELECT match, seat, match || seat, now() - interval '32 days' FROM pairs, generate_series(1, 2) AS seat;

INSERT INTO seat_holders (match_id, seat, player_id, name, email, seated_at)
SELECT match, seat, CASE seat WHEN 1 THEN first ELSE second END, CASE seat WHEN 1 THEN first_name ELSE second_name END,
    match || '@example.org', now() - interval '32 days'
FROM pairs, generate_series(1, 2) AS seat;

INSERT INTO event_matches (match_id, event_id, grp, role)
SELECT match, events.id, grp, 'counts' FROM pairs, events
