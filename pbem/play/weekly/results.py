"""The table of a week that is over: points with places, the par that the robot set, and the best line."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING

from pbem.db.models import DealSet
from pbem.play.weekly import standing, weeks

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pbem.db.models import Match
    from pbem.play.core.context import Context


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the table: a player, their points and place, and their match.

    Who has not played to the end in time has neither points nor place.
    """

    player: int
    name: str
    match: str
    points: int | None = None
    place: int | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """The table of a week, the best first, and the robot's row, whose points are par."""

    rows: tuple[Row, ...]
    robot: Row | None

    @property
    def par(self) -> int | None:
        """The points that the robot made, if it came to the end."""
        return self.robot.points if self.robot else None

    @property
    def best(self) -> Row | None:
        """The match that made most points, of a person if the robot made no more."""
        made = [row for row in (*self.rows[:1], self.robot) if row and row.points is not None]
        return max(made, key=lambda row: row.points or 0, default=None)

    @property
    def finished(self) -> int:
        """The number of people who played to the end."""
        return sum(row.points is not None for row in self.rows)

    def own(self, player: int | None) -> Row | None:
        """Return the row of a player; None if they took no part."""
        return next((row for row in self.rows if row.player == player), None)


def table(ctx: Context, deal_set: DealSet) -> Table:
    """Return the table of a week."""
    people: dict[int, Row] = {}
    robot = None
    for match, holder, player in ctx.session.execute(weeks.entries().where(DealSet.id == deal_set.id)):
        row = Row(player.id, holder.name, match.id, _points(match, deal_set))
        if player.is_robot:
            robot = row
        elif match.seed is not None:
            people.setdefault(player.id, row)
    return Table(tuple(ranked(people.values())), robot)


def ranked(rows: Iterable[Row]) -> Sequence[Row]:
    """Return rows with their places, the best first: equal points share a place, and the next one is left out."""
    placed: list[Row] = []
    best_first = sorted(rows, key=lambda row: (row.points is None, -(row.points or 0), row.name.casefold(), row.player))
    for points, equal in groupby(best_first, lambda row: row.points):
        place = None if points is None else len(placed) + 1
        placed.extend([replace(row, place=place) for row in equal])
    return placed


def _points(match: Match, deal_set: DealSet) -> int | None:
    """Return the points of a match that was played to the end before its week ended."""
    ended_at, closes_at = match.ended_at, deal_set.closes_at
    return standing.points(match) if ended_at and closes_at and ended_at < closes_at else None
