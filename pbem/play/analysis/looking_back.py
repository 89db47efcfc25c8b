"""What looking back at a finished match found: the chances of each seat by move, turning points, luck and play."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from pbem.db.models import Analysis
from pbem.games.chain import MoveEntry
from pbem.robots.analyses import LOOKING_BACK as KIND
from pbem.states import MatchState

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pbem.db.models import Match
    from pbem.games.chain import Entry
    from pbem.play.core.context import Context

__all__ = ["KIND"]

CHANCE, POINTS = "chance", "points"
"""Units of the values: chances of 100, or points of the game."""


@dataclass(frozen=True, slots=True)
class ChartPoint:
    """What the match was worth to each seat after a move, or after the deal."""

    ply: int
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """A move that could be chosen, and what it would have kept."""

    move: str
    value: float


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """A move that kept less than the best one would have, by what its seat could know; `choices` has the best first."""

    ply: int
    seat: int
    played: str
    value: float
    best: str
    best_value: float
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class Account:
    """Where a seat's result comes from: what it began with, and what luck and play added, make its end."""

    seat: int
    start: float
    luck: float
    play: float
    others: float
    unexplained: float
    end: float


@dataclass(frozen=True, slots=True)
class LookingBack:
    """Everything that looking back found; `steps` are the steps of the replay by ply, 0 for the deal."""

    edition: int
    unit: str
    chart: tuple[ChartPoint, ...]
    turning_points: tuple[TurningPoint, ...]
    accounts: tuple[Account, ...]
    steps: Mapping[int, int] = field(default_factory=dict)

    @property
    def in_points(self) -> bool:
        """Whether the values are points of the game."""
        return self.unit == POINTS

    def step(self, point: TurningPoint) -> int:
        """Return the step of the replay before a turning point was played."""
        return max(self.steps.get(point.ply, 1) - 1, 0)

    def ordered_points(self, first: int | None = None) -> list[TurningPoint]:
        """Return all turning points by seat, those of one seat first, each in the order of the match."""
        return sorted(self.turning_points, key=lambda point: (point.seat != first, point.seat, point.ply))

    def turning_points_of(self, seat: int) -> tuple[TurningPoint, ...]:
        """Return the turning points of a seat in the order of the match."""
        own = (point for point in self.turning_points if point.seat == seat)
        return tuple(sorted(own, key=lambda point: point.ply))


def find_all(ctx: Context, match: Match) -> Sequence[Analysis]:
    """Return all times that robots have looked back at a match, or do so now, the newest edition first."""
    if match.state != MatchState.OVER:
        return ()
    theirs = select(Analysis).where(Analysis.match_id == match.id, Analysis.kind == KIND)
    return ctx.session.scalars(theirs.order_by(Analysis.edition.desc())).all()


def read(facts: Mapping[str, Any], steps: Mapping[int, int]) -> LookingBack:
    """Read the facts that the analysis of a match has stored; `steps` are those of its replay by ply."""
    return LookingBack(
        edition=facts["edition"],
        unit=facts["unit"],
        chart=tuple(ChartPoint(one["ply"], tuple(one["values"])) for one in facts["chart"]),
        turning_points=tuple(_read_turning_point(one) for one in facts["turning_points"]),
        accounts=tuple(Account(**one) for one in facts["account"]),
        steps=steps,
    )


def step_numbers(log: Sequence[Entry]) -> dict[int, int]:
    """Return the step of the replay that played each ply, and that of the deal."""
    return {0: 0} | {entry.ply: number for number, entry in enumerate(log, 1) if isinstance(entry, MoveEntry)}


def _read_turning_point(one: Mapping[str, Any]) -> TurningPoint:
    return TurningPoint(
        ply=one["ply"],
        seat=one["seat"],
        played=one["played"],
        value=one["value"],
        best=one["best"],
        best_value=one["best_value"],
        choices=tuple(Choice(choice["move"], choice["value"]) for choice in one["choices"]),
    )
