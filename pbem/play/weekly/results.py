"""The table of a week that is over: points with places, the par that the robot set, and the best line."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, TypeAlias

from pbem.play.weekly import weeks

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pbem.db.models import DealSet
    from pbem.play.core.context import Context


ROWS_PER_PAGE = 100
"""Number of rows per page of the table."""
_Entry: TypeAlias = tuple[int, str, str, int | None]
"""A player, their name, their match, and the points that they made."""


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


@dataclass(frozen=True)
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

    def page(self, after: int) -> tuple[Row, ...]:
        """Return the rows of the page that begins after so many."""
        return self.rows[after : after + ROWS_PER_PAGE]

    def next(self, after: int) -> int | None:
        """Return after how many rows the page after that begins; None if it is the last."""
        following = after + ROWS_PER_PAGE
        return following if following < len(self.rows) else None

    @cached_property
    def by_player(self) -> Mapping[int | None, int]:
        """The index of the row of each player."""
        return {row.player: index for index, row in enumerate(self.rows)}

    def own(self, player: int | None) -> Row | None:
        """Return the row of a player; None if they took no part."""
        index = self.by_player.get(player)
        return None if index is None else self.rows[index]

    def page_of(self, player: int | None) -> int | None:
        """Return after how many rows the page with the row of a player begins; None if they took no part."""
        index = self.by_player.get(player)
        return None if index is None else index - index % ROWS_PER_PAGE


def table(ctx: Context, deal_set: DealSet) -> Table:
    """Return the table of a week."""
    people: dict[int, _Entry] = {}
    robot = None
    for *entry, is_robot in ctx.session.execute(weeks.rows(deal_set)):
        if is_robot:
            robot = Row(*entry)
        else:
            people.setdefault(entry[0], (*entry,))
    return Table(tuple(_ranked(people.values())), robot)


def _ranked(entries: Iterable[_Entry]) -> Iterator[Row]:
    """Yield rows with their places, the best first: equal points share a place, and the next one is left out."""
    placed = 0
    best_first = sorted(entries, key=lambda one: (one[3] is None, -(one[3] or 0), one[1].casefold(), one[0]))
    for points, shared in groupby(best_first, lambda one: one[3]):
        place, equal = None if points is None else placed + 1, [*shared]
        yield from (Row(*one, place) for one in equal)
        placed += len(equal)
