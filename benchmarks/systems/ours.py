"""The service itself: its door, two workers, beat, database and broker, and matches of all games."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from benchmarks import senders
from benchmarks.crowd import fill
from benchmarks.players import CLIENTS
from benchmarks.stage import Stage
from benchmarks.systems.system import System, libpq
from pbem.games import GAMES

if TYPE_CHECKING:
    from pathlib import Path

    from benchmarks.costs import Costs
    from benchmarks.systems.system import Found


class Ours(System):
    """The service, with so many matches that wait for a move, among so many other running ones."""

    name = "ours"

    def __init__(self, folder: Path, matches: int, warm_up: int, doors: int = 1, crowd: int = 0) -> None:
        super().__init__(folder, matches)
        self._warm_up, self._doors, self._crowd = warm_up, doors, crowd

    def _start(self) -> None:
        self._stage = self._stack.enter_context(Stage(self._folder, self.players.port, self._doors))
        self._dsn = libpq(self._stage.cluster.url)
        if self._crowd:
            fill(self._stage.engine, matches=self._crowd, running=self._crowd)
        self._stack.enter_context(self._stage.worker())
        self._addresses = self._stage.begin_matches(self._matches, list(GAMES))
        self._stage.settle()
        # What processes load, plan and draw for the first time is not what a move costs.
        self.play(self._warm_up)

    def play(self, moves: int) -> None:
        """Play so many moves of all matches at once."""
        self.players.play(self._stage.port, moves)
        self._stage.settle()

    def play_steadily(self, moves: int, rate: float) -> list[float]:
        """Play so many moves a second; returns the seconds from a reply to the next player's mail."""
        self._prepare()
        self.players.waits()
        self.players.play_steadily(self._stage.port, moves, rate)
        self._stage.settle()
        return self.players.waits()

    def play_alone(self, moves: int) -> list[float]:
        """Play one move after the other; returns the seconds from a 250 to the next player's mail."""
        self._prepare()
        self.players.waits()
        self.players.play_alone(self._stage.port, moves)
        self._stage.settle()
        return self.players.waits()

    def measure_beside_thoughts(self, moves: int, thoughts: int) -> tuple[Found, int]:
        """Measure moves while so many thoughts of robots wait; return how many wait still in the end, too."""
        self._stage.begin_thoughts(thoughts)
        found = self.measure(moves)
        return found, self._stage.thoughts_left()

    def finish_thoughts(self) -> list[float]:
        """Wait until no robot thinks; return the seconds of all thoughts, shortest first."""
        while self._stage.thoughts_left():
            time.sleep(0.2)
        return self._stage.seconds_of_thoughts()

    def accept(self, mails: int, connections: int = CLIENTS) -> float:
        """Take so many mails that ask for nothing; returns the seconds that took."""
        addresses = [self._addresses[number % len(self._addresses)] for number in range(mails)]
        return senders.time_of(self._stage.port, connections, addresses)

    def _prepare(self) -> None:
        # Matches that are over are followed by others.
        if (over := self._matches - self.players.waiting()) > 0:
            self._stage.begin_matches(over, list(GAMES))
            self._stage.settle()

    def _spent(self) -> Costs:
        return self._stage.spent()
