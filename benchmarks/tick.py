"""How quickly two workers claim what is due among many running matches: `make bench-tick`.

Makes 1,000 deadlines due among those of 10,000, then of 100,000 matches, and lets two processes claim them as the
worker's tick does. Prints how long that took in all, beside one bare statement that changes as many rows, and the plan
of the question; asserts nothing but that each was claimed once.
"""

from __future__ import annotations

import multiprocessing
import statistics
import time
from typing import TYPE_CHECKING

from sqlalchemy import text

from benchmarks.crowd import fill
from benchmarks.options import Options
from benchmarks.rows import database
from pbem.config import from_environment
from pbem.db.session import connect, set_task_sender
from pbem.play.core.context import transaction
from pbem.play.upkeep import deadline_tasks

if TYPE_CHECKING:
    import argparse
    from multiprocessing.synchronize import Barrier

    from sqlalchemy import Engine

    from pbem.config import Config

SIZES = (10_000, 100_000)
DUE = 1_000
WORKERS = 2
GOAL = 2.0
"""Seconds in which what is due is to be claimed."""
MAKE_DUE = text(
    "UPDATE deadlines SET next_action_at = now() - interval '1 minute' * random() WHERE (match_id, seat) IN "
    "(SELECT match_id, seat FROM deadlines WHERE due_at IS NOT NULL ORDER BY md5(match_id || :turn) LIMIT :due)"
)
PUT_OFF = text(
    "UPDATE deadlines SET next_action_at = now() + interval '1 day' "
    "WHERE next_action_at <= now() + interval '2 minutes'"
)


def main() -> None:
    """Measure with few running matches and with many."""
    options = Options(__doc__)
    options.number("--turns", 5, 1)
    options.numbers("--sizes", SIZES, (400,), "so many matches run")
    options.number("--due", DUE, 20, "so many deadlines are due")
    wanted = options.told()
    taken: dict[int, float] = {}
    for size in wanted.sizes:
        with database() as cluster:
            engine = connect(cluster.url)
            fill(engine, matches=size, running=size)
            taken[size] = measure(engine, cluster.url, size, wanted)
            engine.dispose()
    (least, few), (most, many) = min(taken.items()), max(taken.items())
    print(f"{most:,} running matches take {many / few:.2f} x as long as {least:,}")
    found = "reached" if many <= GOAL else "NOT reached"
    print(f"goal: {wanted.due:,} claimed in {GOAL} s with {WORKERS} workers: {found}")


def measure(engine: Engine, url: str, size: int, wanted: argparse.Namespace) -> float:
    """Claim what is due several times over; print and give the median of the seconds it took."""
    ours, bare = [], []
    for turn in range(wanted.turns):
        with engine.begin() as connection:
            connection.execute(MAKE_DUE, {"turn": str(turn), "due": wanted.due})
        ours.append(claimed(url, wanted.due))
        with engine.begin() as connection:
            connection.execute(MAKE_DUE, {"turn": str(turn), "due": wanted.due})
        begun = time.monotonic()
        with engine.begin() as connection:
            connection.execute(PUT_OFF)
        bare.append(time.monotonic() - begun)
    with engine.begin() as connection:
        connection.execute(MAKE_DUE, {"turn": "plan", "due": wanted.due})
    seconds, peer = statistics.median(ours), statistics.median(bare)
    print(
        f"{size:,} running matches: {wanted.due:,} due claimed by {WORKERS} workers in {seconds * 1000:.0f} ms", end=""
    )
    print(f" ({seconds / peer:.1f} x one bare statement, {peer * 1000:.0f} ms)")
    with transaction(engine, config(url)) as ctx:
        statement = str(
            deadline_tasks.due_query(ctx, deadline_tasks.BATCH_SIZE).compile(
                engine, compile_kwargs={"literal_binds": True}
            )
        )
        for line in ctx.session.scalars(text("EXPLAIN (ANALYZE, BUFFERS) " + statement.replace(":", "\\:"))):
            print("   ", line)
    return seconds


def claimed(url: str, due: int) -> float:
    """Claim all that is due by the workers; return how long they took together."""
    spawned = multiprocessing.get_context("spawn")
    ready, results = spawned.Barrier(WORKERS + 1), spawned.Queue()
    workers = [spawned.Process(target=_work, args=(url, ready, results)) for _ in range(WORKERS)]
    for worker in workers:
        worker.start()
    ready.wait()
    begun = time.monotonic()
    found = [results.get() for _ in workers]
    seconds = time.monotonic() - begun
    for worker in workers:
        worker.join()
    if sum(found) != due:
        raise SystemExit(f"{sum(found)} of {due} deadlines were claimed")
    return seconds


def config(url: str) -> Config:
    """Return settings for a service over this database."""
    return from_environment(
        {
            "DATABASE_URL": url,
            "REDIS_URL": "redis://127.0.0.1:1/0",
            "PBEM_SECRET_KEYS": "0" * 40,
            "PBEM_BASE_URL": "http://127.0.0.1:8000",
            "PBEM_MAIL_DOMAIN": "games.localhost",
            "PBEM_SMTP_URL": "smtp://127.0.0.1:1",
        }
    )


def _work(url: str, ready: Barrier, results: multiprocessing.Queue[int]) -> None:
    set_task_sender(lambda _task, _arguments: None)
    engine, settings = connect(url), config(url)
    with transaction(engine, settings) as ctx:
        deadline_tasks.claim(ctx, 0)
    ready.wait()
    claims = 0
    while True:
        with transaction(engine, settings) as ctx:
            found = deadline_tasks.claim(ctx)
        if not found:
            break
        claims += found
    results.put(claims)


if __name__ == "__main__":
    main()
