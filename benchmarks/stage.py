"""The parts of the service, started one by one so that each can be measured."""

from __future__ import annotations

import os
import sys
import time
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from itertools import cycle, islice
from typing import TYPE_CHECKING, Self

from sqlalchemy import text

from benchmarks.clusters import cluster_in
from benchmarks.parts import Parts
from benchmarks.sink import free_port, wait_for
from pbem.config import from_environment
from pbem.db.models import Player
from pbem.db.session import connect, set_task_sender
from pbem.db.upgrade import upgrade
from pbem.games import GAMES
from pbem.ops.up.process import Part
from pbem.ops.up.valkey import Broker
from pbem.play.core import tokens
from pbem.play.core.context import transaction
from pbem.play.lifecycle import acceptance, create
from pbem.play.lifecycle.match_requests import Invitee, MatchRequest, robot
from pbem.play.matches.seats import holders
from pbem.robots import Level

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from benchmarks.costs import Costs

DOMAIN = "games.localhost"
WHIST = "martian-whist"
NAMES = ("Ann", "Bob", "Cleo", "Dan")
WORKERS = 2
"""One for each processor, as operators are told to have them."""


class Stage:
    """A database, a broker and a mail door; the worker comes and goes."""

    def __init__(self, folder: Path, sink: int, doors: int = 1) -> None:
        self._folder = folder
        self._stack = ExitStack()
        self._begun = 0
        self._parts = Parts()
        self.port = free_port()
        self.cluster = cluster_in(folder / "postgres", fsync=True)
        self._broker = Broker.in_folder(folder / "valkey")
        self._settings = {
            "DATABASE_URL": self.cluster.url,
            "REDIS_URL": self._broker.url,
            "PBEM_SECRET_KEYS": "k" * 40,
            "PBEM_BASE_URL": "http://127.0.0.1:8000",
            "PBEM_MAIL_DOMAIN": DOMAIN,
            "PBEM_SMTP_URL": f"smtp://127.0.0.1:{sink}",
            "PBEM_SMTP_LISTEN": f"127.0.0.1:{self.port}",
            "PBEM_SMTP_PROCESSES": str(doors),
            "PBEM_LIMITS": "token=1000000 from=1000000 domain=1000000",
        }
        self.config = from_environment(self._settings)

    def __enter__(self) -> Self:
        self._stack.enter_context(self._parts.running(self.cluster.part(self._folder / "postgres.log")))
        self._stack.enter_context(self._parts.running(self._broker.part(self._folder / "valkey.log")))
        upgrade(self.cluster.url)
        self.engine = connect(self.config.database_url)
        self._stack.callback(self.engine.dispose)
        self._stack.enter_context(self._parts.running(self._part("door", "workers.smtp_server")))
        wait_for(self.port)
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def execute(self, statements: str) -> None:
        """Run statements on the service's database."""
        with self.engine.begin() as connection:
            connection.execute(text(statements))

    def begin_matches(self, count: int, games: Sequence[str] = (WHIST,)) -> list[str]:
        """Begin matches that everybody has accepted, of each game in turn; returns reply addresses of their seats."""
        set_task_sender(lambda _task, _arguments: None)
        addresses: list[str] = []
        # Nobody may invite so many strangers in a day.
        unbound = replace(self.config, limits=None)
        for game in islice(cycle(games), count):
            with transaction(self.engine, unbound) as ctx:
                self._begun += 1
                names = NAMES[: GAMES[game].seats[0]]
                guests = [Invitee(name, f"{name.lower()}.{self._begun}@example.org") for name in names]
                match = create.create_match(ctx, MatchRequest(game, {}, guests))
                for holder in holders(ctx, match):
                    acceptance.accept(ctx, match, holder, "")
                    key = self.config.secret_keys[-1]
                    token = tokens.derive(key, tokens.REPLY, holder.id, 0, holder.generation)
                    addresses.append(f"play+{token}@{DOMAIN}")
        return addresses

    def begin_thoughts(self, count: int) -> None:
        """Begin matches of guests, who get no mail, in which a robot that thinks moves first; wait until one does."""
        set_task_sender(lambda _task, _arguments: None)
        for _match in range(count):
            with transaction(self.engine, replace(self.config, limits=None)) as ctx:
                host = Player(name="Guest", created_at=ctx.now)
                ctx.session.add(host)
                ctx.session.flush()
                invitees = [robot(Level.STRONG), Invitee(host.name, "", is_guest=True)]
                create.create_match(ctx, MatchRequest(WHIST, {}, invitees, creator_seat=2, host=host))
        while not self._count("claimed_at IS NOT NULL AND done_at IS NULL"):
            time.sleep(0.1)

    def thoughts_left(self) -> int:
        """Return how many thoughts wait."""
        return self._count("done_at IS NULL")

    def seconds_of_thoughts(self) -> list[float]:
        """Return how long each thought took from when it was asked for, shortest first."""
        took = "SELECT extract(epoch FROM done_at - asked_at) FROM thoughts WHERE done_at IS NOT NULL ORDER BY 1"
        with self.engine.connect() as connection:
            return [float(seconds) for seconds in connection.scalars(text(took))]

    def _count(self, which: str) -> int:
        with self.engine.connect() as connection:
            return int(connection.scalar(text(f"SELECT count(*) FROM thoughts WHERE {which}")) or 0)  # noqa: S608 -- no input

    @contextmanager
    def worker(self) -> Iterator[None]:
        """Run judging and mailing for as long as a `with` block lasts."""
        with ExitStack() as parts:
            for number in range(1, WORKERS + 1):
                name = f"workers {number}"
                parts.enter_context(self._parts.running(self._part(name, "workers.app", "--concurrency", "4")))
            parts.enter_context(self._parts.running(self._part("beat", "workers.beat", str(self._folder / "beat"))))
            yield

    def spent(self) -> Costs:
        """Look at what all parts have cost up to now."""
        return self._parts.spent()

    def settle(self) -> None:
        """Wait until everything that is owed has been judged and sent."""
        pending = "SELECT count(*) FROM submissions WHERE status = 'pending'"
        owed = f"SELECT ({pending}) + (SELECT count(*) FROM outbox_messages WHERE state = 'pending')"  # noqa: S608 -- no input
        while True:
            with self.engine.connect() as connection:
                if not connection.scalar(text(owed)):
                    return
            time.sleep(0.2)

    def _part(self, name: str, *module: str) -> Part:
        environment = {**os.environ, **self._settings}
        return Part(name, (sys.executable, "-m", *module), self._folder / f"{name}.log", environment)
