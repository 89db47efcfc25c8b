"""Ways to keep the moves of many matches in PostgreSQL, each as the statements that fill, read and lengthen it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import psycopg

MOVES = 60
"""So many moves has each match."""
AT_ONCE = 10_000
"""So many matches are played beside each other."""

COLUMNS = (
    "match_id text NOT NULL, number int NOT NULL, ply int, seat smallint, move text, event text, by text,"
    " detail jsonb, at timestamptz NOT NULL, salt bytea NOT NULL"
)
DRAWN = 100_000
"""So many matches are drawn; more are copies of these under other names, which are made faster."""
NAME = f"chr(97 + {{match}} / {DRAWN}) || substr(md5(mod({{match}}, {DRAWN})::text), 1, 19)"
"""A match is called by something that follows no order, as in the service."""
ROW = (
    f"{NAME.format(match='match')}, number, number, 1 + mod(number, 2),"
    " substr(md5(match || ' ' || number), 1, 3 + mod(abs(hashint4(match + number)), 20)), NULL, NULL, NULL::jsonb,"
    f" timestamptz '2026-01-01' + least(number, {MOVES}) * interval '6 days',"
    " decode(md5(number || ' ' || match), 'hex')"
)
"""A row of the log, from a match and a number."""
GROWN = " WITH (fillfactor = 70)"
"""An index that grew by single rows in no order is about so full."""
READ = "ply, seat, move, event, by, detail, at, salt"
NAMED = f"(match_id, number, {READ})"
KEYS = ("ADD CONSTRAINT pk_log PRIMARY KEY (match_id, number)", "ADD UNIQUE (match_id, ply)")


@dataclass(frozen=True, slots=True)
class Layout:
    """One way to keep moves; the parameters of its questions are the match, its next number, or how many matches."""

    make: tuple[str, ...] = (f"CREATE TABLE log ({COLUMNS})",)
    keys: tuple[str, ...] = tuple(f"ALTER TABLE log {key}{GROWN}" for key in KEYS)
    columns: str = f"number, {READ}"
    in_rounds: bool = True
    rows: str = f"SELECT {ROW} FROM matches, numbers ORDER BY match, number"
    read: str = f"SELECT {READ} FROM log WHERE match_id = {NAME.format(match='%(match)s::int')} ORDER BY number"
    walk: str = f"SELECT {READ} FROM log ORDER BY match_id, number LIMIT {MOVES} * %(matches)s::int"
    add: str = (
        f"INSERT INTO log WITH one (match, number) AS (VALUES (%(match)s::int, %(number)s::int)) SELECT {ROW} FROM one"
    )
    rows_a_match: int = MOVES

    def fill(self, connection: psycopg.Connection[Any], matches: int) -> None:
        """Store that many matches, as they are played; the keys are made at the end, which is quicker."""
        for statement in self.make:
            connection.execute(statement.encode())
        drawn = min(matches, DRAWN)
        for first in range(0, drawn, AT_ONCE):
            last = min(first + AT_ONCE, drawn) - 1
            for numbers in [(n, n) for n in range(1, MOVES + 1)] if self.in_rounds else [(1, MOVES)]:
                series = (
                    f"WITH matches AS (SELECT generate_series({first}, {last}) AS match),"
                    f" numbers AS (SELECT generate_series({numbers[0]}, {numbers[1]}) AS number)"
                )
                connection.execute(f"INSERT INTO log {series} {self.rows}".encode())
        for copy in range(1, matches // DRAWN):
            again = f"SELECT chr({97 + copy}) || substr(match_id, 2), {self.columns} FROM log WHERE match_id < 'b'"
            connection.execute(f"INSERT INTO log {again}".encode())
        for statement in self.keys:
            connection.execute(statement.encode())


def _parts(of: str, parts: list[str]) -> tuple[str, ...]:
    made = f"CREATE TABLE log ({COLUMNS}) PARTITION BY {of}"
    return made, *(f"CREATE TABLE log_{n} PARTITION OF log FOR VALUES {part}" for n, part in enumerate(parts))


MONTHS = [f"'{2026 + month // 12}-{month % 12 + 1:02}-01'" for month in range(13)]
LAYOUTS = {
    "as it was": Layout(),
    "covering key": Layout(
        keys=(f"ALTER TABLE log {KEYS[0]} INCLUDE ({READ}){GROWN}", f"ALTER TABLE log {KEYS[1]}{GROWN}"),
    ),
    "64 parts by match": Layout(
        make=_parts("HASH (match_id)", [f"WITH (MODULUS 64, REMAINDER {n})" for n in range(64)]),
    ),
    "12 parts by month": Layout(
        make=_parts("RANGE (at)", [f"FROM ({MONTHS[n]}) TO ({MONTHS[n + 1]})" for n in range(12)]),
        # What is unique must name the time, or the same number of a match could stand in two parts.
        keys=tuple(f"ALTER TABLE log {key.replace(')', ', at)')}{GROWN}" for key in KEYS),
    ),
    "rewritten at the end": Layout(in_rounds=False),
    "one row a match": Layout(
        make=("CREATE TABLE log (match_id text NOT NULL, entries jsonb NOT NULL)",),
        keys=(f"ALTER TABLE log ADD PRIMARY KEY (match_id){GROWN}",),
        columns="entries",
        in_rounds=False,
        rows=(
            f"SELECT {NAME.format(match='match')}, jsonb_agg(to_jsonb(entry) ORDER BY numbers.number)"
            f" FROM matches, numbers, LATERAL (SELECT {ROW}) entry {NAMED} GROUP BY match ORDER BY match"
        ),
        read=f"SELECT entries FROM log WHERE match_id = {NAME.format(match='%(match)s::int')}",
        walk="SELECT entries FROM log ORDER BY match_id LIMIT %(matches)s::int",
        add=(
            "WITH one (match, number) AS (VALUES (%(match)s::int, %(number)s::int))"
            " UPDATE log SET entries = entries || entry.made"
            f" FROM one, LATERAL (SELECT to_jsonb(entry) AS made FROM (SELECT {ROW}) entry {NAMED}) entry"
            f" WHERE match_id = {NAME.format(match='one.match')}"
        ),
        rows_a_match=1,
    ),
}
"""The ways by name; a match that is rewritten at its end costs its rows once more besides."""
