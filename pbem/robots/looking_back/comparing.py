"""Comparison of moves by what their seat could know: all are tried in the same imagined positions.

Each world is a position that looks like the View, with a seed for what follows; pairs of moves share their worlds, so
that luck does not tell them apart. All is a function of the View, the moves and the seed.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.games import Chance, Stream
from pbem.robots.looking_back import values
from pbem.robots.seeds import derive_for

if TYPE_CHECKING:
    from pbem.games import Move, Seat, View
    from pbem.robots.looking_back.effort import Effort
    from pbem.robots.looking_back.values import Values
    from pbem.robots.robot import Robot

_WORLDS_A_PIECE = 25


class Tally(NamedTuple):
    """What a move came to in some worlds, beside the move that was played."""

    worlds: int
    own: Values
    """Sums of the move's averages, for each seat."""
    played: Values
    more: float
    """Sum of how much more the move was worth to its seat."""
    squares: float

    def join(self, other: Tally) -> Tally:
        """Return what came of the worlds of both."""
        return Tally(
            self.worlds + other.worlds,
            _sum([self.own, other.own]),
            _sum([self.played, other.played]),
            self.more + other.more,
            self.squares + other.squares,
        )


@dataclass(frozen=True, slots=True)
class Found:
    """Values of a move and of the one played to their seat, and the standard error of the difference."""

    value: float
    played: float
    error: float

    @property
    def loss(self) -> float:
        """By how much the move played was worse."""
        return self.value - self.played


@dataclass(frozen=True, slots=True)
class Comparison:
    """A choice that a seat had: what it saw, and the move it played."""

    robot: Robot[Any, Any]
    effort: Effort
    view: View
    played: Move
    seed: bytes

    @property
    def seat(self) -> Seat:
        """The seat that chose."""
        if not isinstance(self.view.viewer, int):
            raise TypeError("only a seat has a move to choose")
        return self.view.viewer

    def try_in(self, worlds: range, move: Move) -> Tally:
        """Try a move beside the one played, in some worlds by their numbers."""
        robot, known, at = self.robot, self.robot.know(self.view), self.seat - 1
        own: list[Values] = []
        played: list[Values] = []
        for world in worlds:
            seed = derive_for("world", self.seed, world)
            position = self._imagine(known, seed)
            for results, each in ((own, move), (played, self.played)):
                after = robot.rules.apply(position, self.seat, each, Chance(seed))
                results.append(values.raw(robot.outlook(after, self.effort.world, seed)))
        more = [a[at] - b[at] for a, b in zip(own, played, strict=True)]
        return Tally(len(worlds), _sum(own), _sum(played), fsum(more), fsum(each * each for each in more))

    def go_on(self, tally: Tally | None, move: Move, most: int) -> Tally:
        """Try a move in the next few worlds, of `most` in all, after those of a tally."""
        begun = tally.worlds if tally else 0
        further = self.try_in(range(begun, min(begun + _WORLDS_A_PIECE, most)), move)
        return tally.join(further) if tally else further

    def judge(self, tally: Tally) -> Found:
        """Return the values that some worlds come to."""
        worlds, at = tally.worlds, self.seat - 1
        own, played = ([total / worlds for total in sums] for sums in (tally.own, tally.played))
        sharpness = self.robot.sharpness_at(self._imagine(self.robot.know(self.view), self.seed))
        value, other = (values.scale(averages, sharpness)[at] for averages in (own, played))
        mean = tally.more / worlds
        deviation = sqrt(max(0.0, tally.squares / worlds - mean * mean) / max(1, worlds - 1))
        slope = abs((value - other) / mean) if mean else values.HUNDRED
        return Found(value, other, deviation * slope)

    def _imagine(self, known: Any, seed: bytes) -> Any:
        """Return a position that looks like the View."""
        return self.robot.position_of(known, self.robot.imagine(known, Stream(seed, "imagine")))


def _sum(some: list[Values]) -> Values:
    return [fsum(seat) for seat in zip(*some, strict=True)]
