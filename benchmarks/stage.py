"""The parts of the service, started one by one so that each can be measured."""

from __future__ import annotations

import os
import smtplib
import sys
import time
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Self

from sqlalchemy import text

from benchmarks import costs
from benchmarks.clusters import cluster_in
from benchmarks.sink import free_port
from pbem.config import from_environment
from pbem.db.session import connect, set_task_sender
from pbem.db.upgrade import upgrade
from pbem.ops.up.process import Part, running
from pbem.ops.up.valkey import Broker
from pbem.play.core import tokens
from pbem.play.core.context import transaction
from pbem.play.lifecycle import acceptance, create
from pbem.play.lifecycle.match_requests import Invitee, MatchRequest
from pbem.play.matches.seats import holders

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from benchmarks.costs import Costs

DOMAIN = "games.localhost"
WORKERS = 2
"""One for each processor, as operators are told to have them."""


class Stage:
    """A database, a broker and a mail door; the worker comes and goes."""

    def __init__(self, folder: Path, sink: int, doors: int = 1) -> None:
        self._folder = folder
        self._stack = ExitStack()
        self._parts: dict[str, int] = {}
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
        self._stack.enter_context(self._running(self.cluster.part(self._folder / "postgres.log")))
        self._stack.enter_context(self._running(self._broker.part(self._folder / "valkey.log")))
        upgrade(self.cluster.url)
        self.engine = connect(self.config.database_url)
        self._stack.callback(self.engine.dispose)
        self._stack.enter_context(self._running(self._part("mail", "workers.smtp_server")))
        self._wait_for_door()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def execute(self, statements: str) -> None:
        """Run statements on the service's database."""
        with self.engine.begin() as connection:
            connection.execute(text(statements))

    def begin_matches(self, count: int) -> list[str]:
        """Make matches that everybody has accepted; returns reply addresses that mail may be sent to."""
        set_task_sender(lambda _task, _arguments: None)
        addresses: list[str] = []
        # Nobody may invite so many strangers in a day.
        unbound = replace(self.config, limits=None)
        for number in range(count):
            with transaction(self.engine, unbound) as ctx:
                guests = [Invitee(name, f"{name.lower()}.{number}@example.org") for name in ("Ann", "Bob")]
                match = create.create_match(ctx, MatchRequest("martian-whist", {}, guests))
                for holder in holders(ctx, match):
                    acceptance.accept(ctx, match, holder, "")
                    key = self.config.secret_keys[-1]
                    token = tokens.derive(key, tokens.REPLY, holder.id, 0, holder.generation)
                    addresses.append(f"play+{token}@{DOMAIN}")
        return addresses

    def door(self) -> smtplib.SMTP:
        """Connect to where the service takes mail."""
        return smtplib.SMTP("127.0.0.1", self.port, local_hostname="bench")

    @contextmanager
    def worker(self) -> Iterator[None]:
        """Let judging and mailing go on for as long as a `with` block lasts."""
        options = ("worker", "--pool", "threads", "--concurrency", "4", "--loglevel", "WARNING")
        quiet = ("--without-gossip", "--without-mingle", "--without-heartbeat")
        with ExitStack() as parts:
            for number in range(1, WORKERS + 1):
                name = f"worker {number}"
                parts.enter_context(
                    self._running(self._part(name, "celery", "-A", "workers.app", *options, *quiet, "-n", name[-1]))
                )
            parts.enter_context(self._running(self._part("beat", "workers.beat", str(self._folder / "beat"))))
            yield

    def spent(self) -> Costs:
        """Look at what all parts have cost up to now."""
        return costs.spent(self._parts)

    def settle(self) -> None:
        """Wait until everything that is owed has been judged and sent."""
        pending = "SELECT count(*) FROM submissions WHERE status = 'pending'"
        owed = f"SELECT ({pending}) + (SELECT count(*) FROM outbox_messages WHERE state = 'pending')"  # noqa: S608 -- no input
        while True:
            with self.engine.connect() as connection:
                if not connection.scalar(text(owed)):
                    return
            time.sleep(0.2)

    @contextmanager
    def _running(self, part: Part) -> Iterator[None]:
        with running(part) as run:
            self._parts[part.name] = run.process.pid
            yield
        del self._parts[part.name]

    def _part(self, name: str, *module: str) -> Part:
        environment = {**os.environ, **self._settings}
        return Part(name, (sys.executable, "-m", *module), self._folder / f"{name}.log", environment)

    def _wait_for_door(self) -> None:
        for _ in range(200):
            try:
                self.door().close()
            except OSError:
                time.sleep(0.05)
            else:
                return
