"""The plain app as a system to measure."""

from __future__ import annotations

import os
import subprocess
import sys

from benchmarks.sink import free_port, wait_for
from benchmarks.systems.system import System
from pbem.ops.up.valkey import Broker

APP = "benchmarks.systems.plain"
LEFT = (
    "SELECT (SELECT count(*) FROM mails WHERE status = 'pending') + (SELECT count(*) FROM notices WHERE state = 'owed')"
)


class Plain(System):
    """A door, a worker with two processes, a database and a broker."""

    name = "plain"

    def _start(self) -> None:
        self._database()
        broker = Broker.in_folder(self._folder / "valkey")
        self._stack.enter_context(self._parts.running(broker.part(self._folder / "valkey.log")))
        self._door = free_port()
        settings = {"DATABASE_URL": self._url, "BROKER_URL": broker.url, "SMTP_PORT": str(self.players.port)}
        begin = (sys.executable, "-c", f"from {APP} import app; app.begin({self._matches})")
        subprocess.run(begin, env={**os.environ, **settings}, check=True)
        door = f"from {APP} import door; door.serve({self._door})"
        self._run("door", sys.executable, "-c", door, environment=settings)
        options = ("worker", "--concurrency", "2", "--loglevel", "WARNING")
        quiet = ("--without-gossip", "--without-mingle", "--without-heartbeat")
        worker = (sys.executable, "-m", "celery", "-A", f"{APP}.app", *options, *quiet)
        self._run("workers", *worker, environment=settings)
        wait_for(self._door)
        self.players.expect(self._matches)
        self.play(2 * self._matches)

    def play(self, moves: int) -> None:
        """Play so many moves of all matches at once."""
        had = self.players.arrived().mails
        self.players.play(self._door, moves)
        self.players.expect(had + 2 * moves)
        self._wait_for(LEFT)
