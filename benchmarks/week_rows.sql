CREATE TEMP TABLE takers AS
SELECT id AS player, 'P' || id AS name, row_number() OVER (ORDER BY id) AS place, weeks.week
FROM (SELECT id FROM players WHERE NOT is_robot ORDER BY id LIMIT :entrants) AS people, (
    VALUES (CAST(:week AS integer)), (:week - 1)
) AS weeks (week);

INSERT INTO deal_sets (id, kind, week, game, options, secret, commitment, entropies, seed, created_at, starts_at,
    closes_at, opened_at)
SELECT 'week' || week, 'week', week, 'minimax', '{}', :seed, :seed, '{}', :seed,
    begins - interval '7 days', begins, begins + interval '7 days',
    CASE WHEN week < :week THEN begins + interval '7 days' END
FROM (
    SELECT DISTINCT week, timestamptz '2026-01-05 00:00 UTC' + (week - 1) * interval '7 days' AS begins FROM takers
) AS weeks;

INSERT INTO matches (id, game, edition, options, public, time_control, rated, state, created_at, started_at, ended_at,
    secret, commitment, seed, chain_head, result, set_id, set_place, withheld)
SELECT 'w' || takers.week || '-' || place, 'minimax', 1, '{}', true, 'none', false,
    CASE WHEN place % 5 > 0 THEN 'over' ELSE 'running' END, starts_at, starts_at,
    CASE WHEN place % 5 > 0 THEN starts_at + interval '1 hour' END, :seed, :seed, :seed, :seed,
    CASE WHEN place % 5 > 0 THEN jsonb_build_object('ending', 'finished', 'winners', jsonb_build_array(1), 'scores',
        jsonb_build_object('1', place * 7919 % 40)) END,
    deal_sets.id, place, CASE WHEN opened_at IS NULL THEN 'table' END
FROM takers JOIN deal_sets USING (week);

INSERT INTO match_seats (match_id, seat, default_entropy, accepted_at)
SELECT 'w' || week || '-' || place, 1, md5(week || '-' || place), now() FROM takers;

INSERT INTO seat_holders (match_id, seat, player_id, name, email, seated_at)
SELECT 'w' || week || '-' || place, 1, player, name, player || '@example.org', now() FROM takers
