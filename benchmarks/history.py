"""How a match's log is read when many matches are stored: `make bench-history`.

Fills a table of moves as slow games write them: ten thousand matches at a time, a move in each, then the next in each,
so that the rows of a match lie far from each other. Does so for several ways to keep them and for more and more moves,
and prints for each what it takes of the disk, what one more move costs, and what reading one match does: the pages that
are touched, the time with everything in memory, and the time with nothing of it there. Then replays whole matches from
a database with few and with many moves. Asserts nothing.
"""

from __future__ import annotations

import os
import random
import statistics
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg

from benchmarks.clusters import cluster_in
from benchmarks.layouts import LAYOUTS, MOVES
from benchmarks.options import Options
from benchmarks.replays import REPLAYED, flatness
from pbem.ops.up.postgres import Cluster
from pbem.ops.up.process import running

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from benchmarks.layouts import Layout

FEW, MANY = 1_000, 1_000_000
SIZE = "SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE relname ~ '^log' AND relkind = 'r'"
HEADING = "     disk  one more    log  pages     warm      cold  in a row"


def main() -> None:
    """Measure every way to keep moves, at sizes up to the one that was asked for."""
    options = Options(__doc__)
    options.number("--moves", MANY, FEW, "the most moves that are stored")
    options.number("--least", FEW, FEW, "the fewest; ten times more each time")
    options.number("--replays", REPLAYED, 12, "so many matches are replayed")
    options.number("--read", 200, 5, "so many matches are read one by one, and in the order of their names")
    options.number("--added", 1_000, 10, "so many moves are added")
    options.add_argument("--layout", choices=LAYOUTS, action="append", help="only this way; may be said several times")
    options.add_argument("--only", choices=("layouts", "replays"), help="measure one half alone")
    wanted = options.told()
    sizes = [*_sizes(wanted.least, wanted.moves)]
    if wanted.only != "replays":
        print(f"{'':<22}{'moves':>11}{HEADING}")
        for name in wanted.layout or LAYOUTS:
            for size in sizes:
                print(f"{name:<22}{size:>11,}{_measured(LAYOUTS[name], size, wanted)}", flush=True)
        print()
    if wanted.only != "layouts":
        flatness(FEW, min(wanted.moves, MANY), wanted.replays)


def _sizes(least: int, most: int) -> Iterator[int]:
    size = least
    while size < most:
        yield size
        size *= 10
    yield most


def _measured(layout: Layout, moves: int, wanted: argparse.Namespace) -> str:
    """Fill a database of its own and measure it; gives the line of the table."""
    matches = max(1, moves // MOVES)
    chosen = random.Random(moves)  # noqa: S311 -- which matches are looked at
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        careless, begun = cluster_in(folder / "postgres", fsync=False), time.time()
        with running(careless.part(folder / "postgres.log")), _connection(careless) as connection:
            layout.fill(connection, matches)
            connection.execute("VACUUM ANALYZE")
            connection.execute("CHECKPOINT")
            disk = _number(connection, SIZE)
        safe = Cluster.in_folder(folder / "postgres")
        forget(folder, begun)
        with running(safe.part(folder / "postgres.log")), _connection(safe) as connection:
            connection.execute("SELECT 1 FROM pg_class, pg_attribute, pg_index LIMIT 1")
            cold = [_read(connection, layout, chosen.randrange(matches)) for _ in range(wanted.read)]
        forget(folder, begun)
        with running(safe.part(folder / "postgres.log")), _connection(safe) as connection:
            walked = _walk(connection, layout, min(matches, wanted.read))
            again = [chosen.randrange(matches) for _ in range(min(matches, wanted.read))]
            for match in again:
                _read(connection, layout, match)
            warm = [_read(connection, layout, match) for match in again]
            pages = [_pages(connection, layout, match) for match in again]
            added, written = _add(connection, layout, matches, chosen, wanted.added)
    return (
        f"{disk / moves:>7.0f} B{added * 1e6:>7.0f} µs{written:>5.0f} B{statistics.median(pages):>7.0f}"
        f"{statistics.median(warm) * 1000:>6.2f} ms{statistics.median(cold) * 1000:>7.2f} ms{walked * 1000:>7.2f} ms"
    )


def forget(folder: Path, since: float) -> None:
    """Write to the disk what changed in a folder since a time, and drop it from the cache of the system."""
    for path in folder.rglob("*"):
        if path.is_file() and path.stat().st_mtime >= since:
            file = os.open(path, os.O_RDONLY)
            os.fsync(file)
            os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
            os.close(file)


def _connection(cluster: Cluster) -> psycopg.Connection[Any]:
    """Connect to the database that each cluster has, and that none of the service's tables is in."""
    return psycopg.connect(cluster.database_url("postgres").replace("+psycopg", ""), autocommit=True)


def _number(connection: psycopg.Connection[Any], question: str) -> int:
    row = connection.execute(question.encode()).fetchone()
    return int(row[0]) if row else 0


def _read(connection: psycopg.Connection[Any], layout: Layout, match: int) -> float:
    begun = time.perf_counter()
    rows = connection.execute(layout.read.encode(), {"match": match}).fetchall()
    taken = time.perf_counter() - begun
    if not rows:
        raise SystemExit(f"match {match} has no rows")
    return taken


def _pages(connection: psycopg.Connection[Any], layout: Layout, match: int) -> int:
    """Count the pages that reading a match touches, in memory or not."""
    row = connection.execute(
        f"EXPLAIN (ANALYZE, BUFFERS, FORMAT json) {layout.read}".encode(), {"match": match}
    ).fetchone()
    plan = row[0][0]["Plan"] if row else {}
    return int(plan["Shared Hit Blocks"] + plan["Shared Read Blocks"])


def _walk(connection: psycopg.Connection[Any], layout: Layout, matches: int) -> float:
    """Read matches in the order of their names, as an export of all does; gives the seconds that each took."""
    begun = time.perf_counter()
    found = connection.execute(layout.walk.encode(), {"matches": matches}).fetchall()
    taken = time.perf_counter() - begun
    return taken / max(1, len(found) / layout.rows_a_match)


def _add(
    connection: psycopg.Connection[Any], layout: Layout, matches: int, chosen: random.Random, moves: int
) -> tuple[float, float]:
    """Add a move to one match after the other; gives the seconds of each, and what it wrote to the database's log.

    It need not wait for the disk: that takes the same time in every layout.
    """
    connection.execute("SET synchronous_commit = off")
    before = _number(connection, "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')")
    seconds = []
    for number in range(moves):
        begun = time.perf_counter()
        row = {"match": chosen.randrange(matches), "number": MOVES + 1 + number}
        connection.execute(layout.add.encode(), row)
        seconds.append(time.perf_counter() - begun)
    written = _number(connection, "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')") - before
    return statistics.median(seconds), written / moves


if __name__ == "__main__":
    main()
