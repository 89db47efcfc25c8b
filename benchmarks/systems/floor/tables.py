"""Tables of the floor: the columns and indexes that a move of the service touches."""

from __future__ import annotations

TABLES = """
CREATE TABLE matches (
    id int PRIMARY KEY, head bytea NOT NULL, length int NOT NULL, ply int NOT NULL, to_move smallint[] NOT NULL);
CREATE TABLE holders (id int PRIMARY KEY, match_id int NOT NULL, seat smallint NOT NULL, email text NOT NULL);
CREATE INDEX ON holders (match_id);
CREATE TABLE submissions (
    id text PRIMARY KEY, match_id int NOT NULL, holder_id int NOT NULL, raw bytea NOT NULL, once bytea UNIQUE,
    received_at timestamptz NOT NULL, status text NOT NULL, reason text, message_id text, judged_at timestamptz);
CREATE INDEX ON submissions (match_id, received_at, id) WHERE status = 'pending';
CREATE INDEX ON submissions (holder_id, message_id);
CREATE INDEX ON submissions USING brin (received_at);
CREATE TABLE log (
    match_id int, number int, ply int, seat smallint, move text, at timestamptz, salt bytea,
    PRIMARY KEY (match_id, number) INCLUDE (ply, seat, move, at, salt), UNIQUE (match_id, ply));
CREATE TABLE deadlines (
    match_id int, seat smallint, ply int, asked_at timestamptz, due_at timestamptz, next_at timestamptz,
    PRIMARY KEY (match_id, seat));
CREATE INDEX ON deadlines (due_at);
CREATE INDEX ON deadlines (next_at);
CREATE TABLE timings (
    match_id int, seat smallint, ply int, holder_id int, asked_at timestamptz, moved_at timestamptz,
    PRIMARY KEY (match_id, seat, ply));
CREATE INDEX ON timings (holder_id);
CREATE TABLE tokens (hash bytea PRIMARY KEY, kind text, holder_id int, ply int, issued_at timestamptz);
CREATE INDEX ON tokens (holder_id);
CREATE TABLE notices (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, kind text, recipient text, match_id int, holder_id int, ply int,
    once text UNIQUE, message_id text, return_path bytea UNIQUE, facts jsonb, shard smallint, created_at timestamptz,
    due_at timestamptz, state text NOT NULL, sent_as jsonb, settled_at timestamptz);
CREATE INDEX ON notices (recipient);
CREATE INDEX ON notices (message_id);
CREATE INDEX ON notices (match_id, holder_id, id);
CREATE INDEX ON notices (shard, due_at, id) WHERE state = 'owed';
"""
MATCHES = """
INSERT INTO matches SELECT n, sha256(n::text::bytea), 0, 1, '{1}' FROM generate_series(1, %(count)s) n;
"""
HOLDERS = """
INSERT INTO holders SELECT 2 * n - 2 + s, n, s, 'p' || s || '.' || n || '@example.org'
FROM generate_series(1, %(count)s) n, generate_series(1, 2) s
"""
KEEP = """
INSERT INTO submissions (id, match_id, holder_id, raw, once, received_at, status)
SELECT *, now(), 'pending' FROM unnest(%b::text[], %b::int[], %b::int[], %b::bytea[], %b::bytea[])
"""
LOCK = """
SELECT m.id, m.length, m.ply, h.id, h.seat, h.email, s.id FROM matches m JOIN holders h ON h.match_id = m.id
LEFT JOIN submissions s ON s.match_id = m.id AND s.holder_id = h.id AND s.status = 'pending'
WHERE m.id = ANY(%b) ORDER BY m.id, h.seat FOR NO KEY UPDATE OF m
"""
WRITES = {
    "log": "INSERT INTO log SELECT m, n, n, s, 'take 7', now(), b"
    " FROM unnest(%b::int[], %b::int[], %b::int[], %b::bytea[]) u(m, n, s, b)",
    "matches": "UPDATE matches SET head = b, length = n, ply = n + 1, to_move = ARRAY[3 - s]"
    " FROM unnest(%b::int[], %b::int[], %b::int[], %b::bytea[]) u(m, n, s, b) WHERE id = m",
    "submissions": "UPDATE submissions s SET status = 'played', reason = 'take 7', message_id = s.id, judged_at = now()"
    " FROM unnest(%b::text[]) u(id) WHERE s.id = u.id",
    "deadline": "DELETE FROM deadlines d USING unnest(%b::int[], %b::int[]) u(m, s)"
    " WHERE d.match_id = u.m AND d.seat = u.s",
    "asked": "INSERT INTO deadlines SELECT m, 3 - s, n + 1, now(), now(), now()"
    " FROM unnest(%b::int[], %b::int[], %b::int[]) u(m, n, s)",
    "timings": "INSERT INTO timings SELECT m, s, n, h, now(), now()"
    " FROM unnest(%b::int[], %b::int[], %b::int[], %b::int[]) u(m, n, s, h)",
    "tokens": "INSERT INTO tokens SELECT u.*, now() FROM unnest(%b::bytea[], %b::text[], %b::int[], %b::int[]) u"
    " ON CONFLICT DO NOTHING",
    "notices": "INSERT INTO notices (kind, recipient, match_id, holder_id, ply, once, message_id, return_path, facts,"
    " shard, created_at, due_at, state) SELECT u.*, now(), now(), 'owed' FROM unnest(%b::text[], %b::text[], %b::int[],"
    " %b::int[], %b::int[], %b::text[], %b::text[], %b::bytea[], %b::jsonb[], %b::int[]) u"
    " ON CONFLICT DO NOTHING RETURNING id",
}
"""What a move writes, for several moves by one statement each."""
MARK = "UPDATE notices SET state = 'sent', settled_at = now(), sent_as = %s WHERE id = %s AND state = 'owed'"
LEFT = (
    "SELECT (SELECT count(*) FROM submissions WHERE status = 'pending')"
    " + (SELECT count(*) FROM notices WHERE state = 'owed')"
)
"""What is still to be done."""
