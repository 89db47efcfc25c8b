"""What all systems have in common that are measured: one mail in, some mails out, told part by part."""

from __future__ import annotations

import os
import time
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Self

import psycopg

from benchmarks.clusters import cluster_in
from benchmarks.costs import Costs
from benchmarks.parts import Parts
from benchmarks.players import CLIENTS, Players
from pbem.ops.up.process import Part

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from pbem.ops.up.postgres import Cluster

POLL_SECONDS = 0.1
TAKING = ("door", "database", "broker")
"""The parts that a mail passes until its 250."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a round found: moves a second, and for each the milliseconds of each part, and the mails and their bytes.

    The harness is those who write replies and take mails, and belongs to no system.
    """

    rate: float
    costs: Mapping[str, float]
    harness: float = 0.0
    mails: float = 0.0
    octets: float = 0.0


class System:
    """A system in a folder of its own, with a cluster of its own and players of its own, who play so many matches."""

    name: ClassVar[str]

    def __init__(self, folder: Path, matches: int) -> None:
        self._folder = folder
        self._matches = matches
        self._parts = Parts()
        self._stack = ExitStack()
        self.players = Players()

    def __enter__(self) -> Self:
        self._folder.mkdir()
        with ExitStack() as stack:
            stack.enter_context(self.players)
            self._stack = stack
            self._start()
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def measure(self, moves: int) -> Found:
        """Play so many moves, from a checkpoint until the last mail has arrived."""
        self._prepare()
        before, harness, had = self._spent(), self.players.spent(), self.players.arrived()
        # So each page is written to the log as a whole when it is first changed, as after any checkpoint.
        self._checkpoint()
        began = time.monotonic()
        self.play(moves)
        come = self.players.arrived()
        return Found(
            moves / (come.last - began),
            self._spent().since(before).each(moves),
            self.players.spent().since(harness).each(moves)["all"],
            (come.mails - had.mails) / moves,
            (come.octets - had.octets) / moves,
        )

    def measure_accepting(self, mails: int, connections: int = CLIENTS) -> Found:
        """Take so many mails that nothing follows from; those who would do what follows are not counted."""
        before = self._spent()
        self._checkpoint()
        seconds = self.accept(mails, connections)
        spent = self._spent().since(before).seconds
        return Found(mails / seconds, Costs({part: spent[part] for part in TAKING if part in spent}).each(mails))

    def accept(self, mails: int, connections: int) -> float:
        """Take so many mails over some connections at once; returns the seconds that took."""
        raise NotImplementedError

    def play(self, moves: int) -> None:
        """Play so many moves; returns when the last mail has arrived."""
        raise NotImplementedError

    def _start(self) -> None:
        """Start everything, and play until it is warm."""
        raise NotImplementedError

    def _prepare(self) -> None:
        """Do what must be done before a round and is not measured."""

    def _spent(self) -> Costs:
        return self._parts.spent()

    def _checkpoint(self) -> None:
        with psycopg.connect(self._dsn, autocommit=True) as connection:
            connection.execute("CHECKPOINT")

    def _wait_for(self, nothing_left: str) -> None:
        """Wait until a count is 0."""
        with psycopg.connect(self._dsn, autocommit=True) as connection:
            while (row := connection.execute(nothing_left.encode()).fetchone()) and row[0]:
                time.sleep(POLL_SECONDS)

    def _database(self) -> Cluster:
        """Start PostgreSQL with an empty database that is called as the system is."""
        cluster = cluster_in(self._folder / "postgres", fsync=True)
        self._stack.enter_context(self._parts.running(cluster.part(self._folder / "postgres.log")))
        with psycopg.connect(libpq(cluster.url), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {self.name}".encode())
        self._url = cluster.database_url(self.name)
        self._dsn = libpq(self._url)
        return cluster

    def _run(self, name: str, *command: str | Path, environment: Mapping[str, str] | None = None) -> None:
        """Run a part until the end."""
        log = self._folder / f"{name}.log"
        part = Part(name, tuple(map(str, command)), log, {**os.environ, **(environment or {})}, grace_seconds=10.0)
        self._stack.enter_context(self._parts.running(part))


def libpq(url: str) -> str:
    """Return a URL for SQLAlchemy as PostgreSQL's own programs and drivers take it."""
    return url.replace("+psycopg", "")
