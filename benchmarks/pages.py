"""What pages cost with 10,000 people and 100,000 matches in the database: `make bench-pages`.

Prints for each page the processor time of the web process and of the database in milliseconds a request, how much that
is beside a plain page (Flask, one SELECT, one template) that is opened in turns with it, its statements without BEGIN
and COMMIT, and its size; asserts nothing. The WSGI application is called in this process, without a server before it.

`--only WORD` measures the pages whose names hold a word, `--plans` prints how each statement is run, and
`--matches 1000000 --plies 60` fills the database with a million long matches; that wants 40 GB of disk.
"""

from __future__ import annotations

import io
import logging
import statistics
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import event, text
from werkzeug.test import EnvironBuilder, run_wsgi_app

from benchmarks import plain, visits
from benchmarks.crowd import MATCHES, PEOPLE, PLIES, fill
from benchmarks.options import Options
from benchmarks.rows import database
from pbem.config import from_environment
from pbem.db.models import Player
from pbem.db.session import connect, set_task_sender
from pbem.play.accounts import login_sessions
from pbem.play.core.context import transaction
from pbem.web import create_app

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator, Mapping
    from typing import TypeAlias
    from wsgiref.types import WSGIApplication

    from sqlalchemy import Engine

    from benchmarks.visits import Visit
    from pbem.config import Config

    Open: TypeAlias = "Callable[[], bytes]"

URL = "http://127.0.0.1:8000"
GOAL = 15
"""Milliseconds of a processor that a page should take at most, of the web process and the database together."""
LARGEST = 60
"""Kilobytes that a page should have at most, without its pictures."""
LINE = "{:<46}{:>8}{:>10}{:>8}{:>11}{:>12}{:>9}"


class Cost(NamedTuple):
    """Milliseconds of a processor that one request takes."""

    web: float
    database: float

    @property
    def both(self) -> float:
        """Those of the web process and the database together."""
        return self.web + self.database


def main() -> None:
    """Fill a database, then measure page by page."""
    options = Options(__doc__)
    options.number("--requests", 5, 1, "how often a page is opened in a round")
    options.number("--rounds", 20, 1, "how often it is the turn of each page, and of the plain one")
    options.number("--matches", MATCHES, 1_000)
    options.number("--plies", PLIES, PLIES, "the most moves of a match")
    options.number("--longest", 300, 20, "the most moves of the long matches whose pages are opened")
    options.add_argument("--only", default="", metavar="WORD", help="measure the pages whose names hold this word")
    options.add_argument("--plans", action="store_true", help="print how each statement is run")
    wanted = options.told()
    # No broker runs here: what it would count is counted in the database.
    logging.getLogger("pbem.play.core.rate_limits").setLevel(logging.CRITICAL)
    set_task_sender(lambda _task, _arguments: None)
    with database() as cluster:
        engine, config = connect(cluster.url), _config(cluster.url)
        begun = time.monotonic()
        fill(engine, wanted.matches, wanted.matches // 10, wanted.plies)
        added = visits.prepare(engine, config, wanted.longest)
        print(f"{PEOPLE:,} people, {wanted.matches:,} matches; filled in {time.monotonic() - begun:.0f} s")
        measure(engine, config, [*visits.usual(engine), *added], wanted)
        engine.dispose()


def measure(engine: Engine, config: Config, pages: list[Visit], wanted: argparse.Namespace) -> None:
    """Measure pages in turns with the plain one, and print a line for each."""
    app = create_app(config, engine)
    simple = _opener(plain.create_plain_app(engine), plain.PATH, {})
    # SQLAlchemy and psycopg prepare a statement once it has been run some times.
    _costs(engine, simple, wanted.requests)
    print(
        LINE.format("milliseconds of a processor a request", "web", "database", "both", "of plain", "statements", "kB")
    )
    for page in [page for page in pages if wanted.only in page.name]:
        cookies = {"pbem": _sign_in(engine, config, page.player)} if page.player else {}
        open_page = _opener(app, page.path, cookies)
        _costs(engine, open_page, wanted.requests)
        with _statements(engine) as asked:
            answer = open_page()
        own, beside = [], []
        for _round in range(wanted.rounds):
            beside.append(_costs(engine, simple, wanted.requests))
            own.append(_costs(engine, open_page, wanted.requests))
        _print_line(page.name, own, [cost.both for cost in beside], len(asked), answer)
        if wanted.plans:
            _print_plans(engine, asked)


def _print_line(name: str, own: list[Cost], beside: list[float], statements: int, answer: bytes) -> None:
    cost = Cost(statistics.median(one.web for one in own), statistics.median(one.database for one in own))
    ratio = statistics.median(one.both / plainly for one, plainly in zip(own, beside, strict=True))
    size = len(answer) / 1000
    over = " TOO MUCH" if cost.both > GOAL else ""
    over += " TOO LARGE" if size - _pictures(answer.decode()) / 1000 > LARGEST else ""
    figures = f"{cost.web:.2f}", f"{cost.database:.2f}", f"{cost.both:.2f}", f"{ratio:.1f}", statements, f"{size:.0f}"
    print(LINE.format(name, *figures) + over, flush=True)


def _opener(app: WSGIApplication, path: str, cookies: Mapping[str, str]) -> Open:
    """Return the function that opens a page; it raises an error unless the answer is one."""
    headers = [("Accept-Language", "en"), *(("Cookie", f"{name}={value}") for name, value in cookies.items())]
    environ = EnvironBuilder(path=path, base_url=URL, headers=headers).get_environ()

    def open_page() -> bytes:
        body, status, _headers = run_wsgi_app(app, environ | {"wsgi.input": io.BytesIO()})
        if not status.startswith("200"):
            raise RuntimeError(f"{path}: answered {status}")
        return b"".join(body)

    return open_page


def _costs(engine: Engine, open_page: Open, requests: int) -> Cost:
    """Open a page some times over; returns what each took."""
    with engine.connect() as connection:
        # The pool has one connection, as everything here is done one after the other.
        server = connection.scalar(text("SELECT pg_backend_pid()"))
    before, begun = server_seconds(server), time.process_time()
    for _ in range(requests):
        open_page()
    web, served = time.process_time() - begun, server_seconds(server) - before
    return Cost(web * 1000 / requests, served * 1000 / requests)


def server_seconds(pid: int) -> float:
    """Return the time on the processors of one server process of PostgreSQL, as the kernel accounts for it."""
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9


@contextmanager
def _statements(engine: Engine) -> Iterator[list[tuple[str, Any]]]:
    """Write down what is asked of the database within the block."""
    asked: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        asked.append((statement, parameters))

    event.listen(engine, "before_cursor_execute", note)
    try:
        yield asked
    finally:
        event.remove(engine, "before_cursor_execute", note)


def _print_plans(engine: Engine, asked: list[tuple[str, Any]]) -> None:
    with engine.connect() as connection:
        for statement, parameters in asked:
            print(f"    {' '.join(statement.split())}")
            for line in connection.exec_driver_sql(f"EXPLAIN (ANALYZE, BUFFERS) {statement}", parameters).scalars():
                print(f"        {line}")
            connection.rollback()


def _pictures(page: str) -> int:
    """Count the bytes of the pictures that stand in a page."""
    return sum(len(one.partition("</svg>")[0].encode()) for one in page.split("<svg")[1:])


def _sign_in(engine: Engine, config: Config, player: int) -> str:
    with transaction(engine, config) as ctx:
        return login_sessions.start(ctx, ctx.session.get_one(Player, player), "a browser")


def _config(url: str) -> Config:
    return from_environment(
        {
            "DATABASE_URL": url,
            "REDIS_URL": "redis://127.0.0.1:1/0",
            "PBEM_SECRET_KEYS": "k" * 40,
            "PBEM_BASE_URL": URL,
            "PBEM_MAIL_DOMAIN": "games.localhost",
            "PBEM_SMTP_URL": "smtp://127.0.0.1:1",
            "PBEM_LIMITS": "off",
        }
    )


if __name__ == "__main__":
    main()
