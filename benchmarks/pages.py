"""How quickly pages are answered with 10,000 people and 100,000 matches in the database: `make bench-pages`.

`--matches 1000000 --plies 60` fills it with a million long ones; it wants 40 GB of disk.

Prints for each page the median and the 95th percentile of the server's time, what of it is work of the web process
itself (the rest is the database's, and waiting for whatever else this machine does), its size, and the top of the plan
of each question that it asks the database; asserts nothing.
"""

from __future__ import annotations

import statistics
import time
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from sqlalchemy import event, select, text

from benchmarks.crowd import BUSY, MATCHES, PEOPLE, PLIES, fill
from benchmarks.options import Options
from benchmarks.rows import database
from pbem.config import from_environment
from pbem.db.models import Match, Player
from pbem.db.session import connect, set_task_sender
from pbem.games import GAMES
from pbem.play.accounts import login_sessions
from pbem.play.core.context import transaction
from pbem.web import create_app

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from flask.testing import FlaskClient
    from sqlalchemy import Engine

    from pbem.config import Config

GOAL = 50
LARGEST = 60
"""What a page should take at the most: milliseconds at the server, and kilobytes without pictures."""
USUAL, MANY = 5000, 1
"""A person with about as many matches as others, and the one with many that run."""
LISTED = 120
OLD = timedelta(days=10)


def main() -> None:
    """Fill a database, then measure page by page."""
    options = Options(__doc__)
    options.number("--requests", 200, 2, "how often each page is opened")
    options.number("--matches", MATCHES, 1_000)
    options.number("--plies", PLIES, PLIES, "the most moves of a match")
    options.add_argument("--plans", action="store_true", help="print the plans whole")
    wanted = options.told()
    set_task_sender(lambda _task, _arguments: None)
    with database() as cluster:
        engine = connect(cluster.url)
        begun = time.monotonic()
        fill(engine, wanted.matches, wanted.matches // 10, wanted.plies)
        took = time.monotonic() - begun
        print(f"{PEOPLE:,} people, {wanted.matches:,} matches, {_entries(engine):,} moves; filled in {took:.0f} s")
        config = _config(cluster.url)
        app = create_app(config, engine)
        app.config["SERVER_NAME"] = "127.0.0.1:8000"
        for name, path, player in _pages(engine):
            client = app.test_client()
            if player:
                client.set_cookie("pbem", _visit(engine, config, player), domain="127.0.0.1")
            _measure(engine, client, name, path, wanted)
        engine.dispose()


def _pages(engine: Engine) -> Iterator[tuple[str, str, int]]:
    """List the pages: what they are called, where they are, and who looks."""
    yield "lobby", "/lobby", 0
    yield "lobby, signed in", "/lobby", USUAL
    for game in [game.key for game in GAMES.values() if game.seats[-1] > 1]:
        yield f"lobby, {game}", f"/lobby?game={game}", 0
    for asked in ("seats=2", "seats=3", "clock=3+days", "clock=none", "rated=yes", "rated=no"):
        yield f"lobby, {asked}", f"/lobby?{asked}", 0
    yield "lobby, all of them", "/lobby?game=martian-whist&seats=2&clock=none&rated=yes", 0
    yield "finished matches", "/matches", 0
    yield "finished matches, from 10 days ago", f"/matches?before={quote(f'{datetime.now(UTC) - OLD}~z')}", 0
    for game in [game.key for game in GAMES.values() if game.seats[-1] > 1]:
        yield f"finished matches, {game}", f"/matches?game={game}", 0
    yield "my games", "/mine", USUAL
    yield f"my games, {BUSY} running", "/mine", MANY
    ended: dict[str, str] = {}
    with engine.connect() as connection:
        for state in ("running", "over"):
            for game in [game.key for game in GAMES.values() if game.seats[-1] > 1]:
                one = select(Match.id).where(Match.state == state, Match.public, Match.game == game).limit(1)
                match = connection.scalar(one)
                if match:
                    yield f"match, {game}, {state}", f"/matches/{match}", 0
                    watched = match
                    ended[game] = match
    for game, match in ended.items():
        yield f"replay, {game}", f"/matches/{match}?ply=3", 0
        yield f"record, {game}", f"/api/matches/{match}/record", 0
        yield f"record as text, {game}", f"/matches/{match}/record.txt", 0
    yield "whether it goes on", f"/matches/{watched}/live", 0


def _entries(engine: Engine) -> int:
    """Tell how many entries all logs have, as the database guesses it."""
    with engine.connect() as connection:
        return int(connection.scalar(text("SELECT reltuples::bigint FROM pg_class WHERE relname = 'log_entries'")) or 0)


def _measure(engine: Engine, client: FlaskClient, name: str, path: str, wanted: argparse.Namespace) -> None:
    with _questions(engine) as asked:
        page = client.get(path)
    if page.status_code >= 300:  # noqa: PLR2004 -- anything that is no page
        print(f"{name:<36} answered {page.status_code}: not measured")
        return
    times, own = [], []
    for _ in range(wanted.requests):
        begun, worked = time.perf_counter(), time.process_time()
        client.get(path)
        own.append((time.process_time() - worked) * 1000)
        times.append((time.perf_counter() - begun) * 1000)
    median, slow = statistics.median(times), statistics.quantiles(times, n=20)[-1]
    size, drawn = len(page.data) / 1000, _pictures(page.text) / 1000
    over = " TOO SLOW" if median > GOAL else ""
    over += " TOO LARGE" if size - drawn > LARGEST else ""
    told = f"{median:6.1f} ms  p95 {slow:6.1f} ms  (own work {statistics.median(own):5.1f} ms)"
    told += f"  {size:6.1f} kB, {size - drawn:5.1f} without pictures"
    print(f"{name:<36}{told}  {len(asked)} questions{over}")
    with engine.connect() as connection:
        for statement, parameters in asked:
            lines = connection.exec_driver_sql(f"EXPLAIN (ANALYZE) {statement}", parameters).scalars().all()
            connection.rollback()
            for line in lines if wanted.plans else (lines[0], lines[-1]):
                print(f"    {line[:LISTED]}")


@contextmanager
def _questions(engine: Engine) -> Iterator[list[tuple[str, Any]]]:
    """Write down what is asked of the database within the block."""
    asked: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        if statement.startswith("SELECT"):
            asked.append((statement, parameters))

    event.listen(engine, "before_cursor_execute", note)
    try:
        yield asked
    finally:
        event.remove(engine, "before_cursor_execute", note)


def _pictures(page: str) -> int:
    """Count the bytes of the pictures that stand in a page."""
    return sum(len(one.partition("</svg>")[0].encode()) for one in page.split("<svg")[1:])


def _visit(engine: Engine, config: Config, player: int) -> str:
    with transaction(engine, config) as ctx:
        return login_sessions.start(ctx, ctx.session.get_one(Player, player), "a browser")


def _config(url: str) -> Config:
    return from_environment(
        {
            "DATABASE_URL": url,
            "REDIS_URL": "redis://127.0.0.1:1/0",
            "PBEM_SECRET_KEYS": "k" * 40,
            "PBEM_BASE_URL": "http://127.0.0.1:8000",
            "PBEM_MAIL_DOMAIN": "games.localhost",
            "PBEM_SMTP_URL": "smtp://127.0.0.1:1",
            "PBEM_LIMITS": "off",
        }
    )


if __name__ == "__main__":
    main()
