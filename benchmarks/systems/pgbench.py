"""PostgreSQL alone: the writes of one move in one transaction, by its own `pgbench` with 8 clients."""

from __future__ import annotations

import subprocess

import psycopg

from benchmarks.players import CLIENTS
from benchmarks.systems.system import Found, System
from pbem.ops.up.binaries import find_postgres

MOVE = """\
\\set match random(1, 1000)
BEGIN;
SELECT id FROM bench_matches WHERE id = :match FOR UPDATE;
INSERT INTO bench_submissions (match, raw) VALUES (:match, repeat('x', 2000));
INSERT INTO bench_log (match, move, salt) VALUES (:match, 'take 7', decode(md5(random()::text), 'hex'));
UPDATE bench_matches SET head = md5(random()::text), ply = ply + 1 WHERE id = :match;
INSERT INTO bench_notices (match, facts) VALUES (:match, repeat('x', 3000)), (:match, repeat('y', 3000));
COMMIT;
"""
TABLES = """
CREATE TABLE bench_matches (id int PRIMARY KEY, head text, ply int NOT NULL DEFAULT 1);
INSERT INTO bench_matches SELECT n FROM generate_series(1, 1000) n;
CREATE TABLE bench_submissions (id bigserial PRIMARY KEY, match int, raw text);
CREATE TABLE bench_log (id bigserial PRIMARY KEY, match int, move text, salt bytea);
CREATE TABLE bench_notices (id bigserial PRIMARY KEY, match int, facts text);
CREATE INDEX ON bench_submissions (match); CREATE INDEX ON bench_log (match); CREATE INDEX ON bench_notices (match);
"""


class Pgbench(System):
    """A cluster with tables of its own; what pgbench itself costs is not counted."""

    name = "pgbench"

    def _start(self) -> None:
        self._database()
        self._script = self._folder / "move.sql"
        self._script.write_text(MOVE)
        with psycopg.connect(self._dsn) as connection:
            connection.execute(TABLES.encode())
        self.measure(1)

    def measure(self, seconds: int) -> Found:
        """Write moves for so many seconds."""
        command = [str(find_postgres() / "pgbench"), "-n", "-c", str(CLIENTS), "-j", "2", "-T", str(seconds)]
        before = self._spent()
        self._checkpoint()
        done = subprocess.run(
            [*command, "-f", self._script, self._dsn], capture_output=True, text=True, check=True
        ).stdout.splitlines()
        rate = next(float(line.split()[2]) for line in done if line.startswith("tps"))
        return Found(rate, self._spent().since(before).each(rate * seconds))
