"""The floor as a system to measure."""

from __future__ import annotations

import sys

import psycopg

from benchmarks.senders import Client, as_sent
from benchmarks.sink import free_port, wait_for
from benchmarks.systems.floor import tables
from benchmarks.systems.floor.mails import compose
from benchmarks.systems.system import System
from pbem.ops.up.valkey import Broker


class Floor(System):
    """The promises of the service, and nothing decided."""

    name = "floor"

    def _start(self) -> None:
        self._database()
        broker = Broker.in_folder(self._folder / "valkey")
        self._stack.enter_context(self._parts.running(broker.part(self._folder / "valkey.log")))
        with psycopg.connect(self._dsn) as connection:
            for statement in (*tables.TABLES.split(";\n"), tables.MATCHES, tables.HOLDERS):
                connection.execute(statement.encode(), {"count": self._matches})
        self._door = free_port()
        place = "from benchmarks.systems.floor import"
        given = f"{self._dsn!r}, {broker.client_url!r}"
        self._run("door", sys.executable, "-c", f"{place} door; door.serve({self._door}, {given})")
        self._run("workers", sys.executable, "-c", f"{place} worker; worker.serve({given}, {self.players.port})")
        wait_for(self._door)
        with Client(self.players.port) as line:
            for match in range(1, self._matches + 1):
                to = f"p1.{match}@example.org"
                line.send("play@floor.localhost", to, as_sent(compose("turn", match, 1, 1, to, f"<{match}@floor>")))
        self.play(4 * self._matches)

    def play(self, moves: int) -> None:
        """Play so many moves of all matches at once."""
        had = self.players.arrived().mails
        self.players.play(self._door, moves)
        self.players.expect(had + 2 * moves)
        self._wait_for(tables.LEFT)
