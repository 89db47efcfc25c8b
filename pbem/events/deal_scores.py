"""Scores of a deal that several tables play: each seat is compared with the same seat at the other tables.

They are fractions, so that ties are ties, and the scores of all tables add up to exactly 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

P = TypeVar("P")

LEAVER_LOSS = 2
"""What somebody who left a table has less than the worst of all."""
MIN_TABLES = 2
"""Number of finished tables below which nothing is compared."""


@dataclass(frozen=True, slots=True)
class TableResult:
    """The points of a table by seat, None if it was not played to its end; `leavers` are the seats that were left.

    A table that a robot played to its end for a leaver is like any other for those who stayed.
    """

    points: tuple[int, ...] | None
    leavers: Collection[int] = ()


@dataclass(frozen=True, slots=True)
class SeatScore:
    """The score of a seat at a table, and its per cent: 2 for each table beaten and 1 for a tie, of all possible.

    `margin` is None for somebody who left: theirs is not compared.
    """

    margin: Fraction | None
    score: Fraction
    percent: Fraction


@dataclass(frozen=True, slots=True)
class Row(Generic[P]):
    """A player's line in a field: the sum of their scores, the mean of their per cents, and their place.

    `deals` counts those that were compared. Equal players share a place.
    """

    player: P
    score: Fraction
    percent: Fraction
    deals: int
    place: int


def margins(points: Sequence[int]) -> tuple[Fraction, ...]:
    """Return each seat's points less the mean of the others at the table."""
    total, others = sum(points), max(1, len(points) - 1)
    return tuple(own - Fraction(total - own, others) for own in points)


def compare(tables: Sequence[TableResult]) -> tuple[tuple[SeatScore | None, ...] | None, ...] | None:
    """Return the scores by table and seat; None where fewer than two tables were played to their end.

    The tables that were not have None, or a score for their leavers alone.
    """
    finished = {number: margins(table.points) for number, table in enumerate(tables) if table.points is not None}
    if len(finished) < MIN_TABLES:
        return None
    scores = {
        number: [
            _score(own, [other[seat] for at, other in finished.items() if at != number])
            for seat, own in enumerate(table)
        ]
        for number, table in finished.items()
    }
    last = min(seat.score for table in scores.values() for seat in table) - LEAVER_LOSS
    left = SeatScore(None, last, Fraction(0))
    seats = len(next(iter(finished.values())))
    return tuple(
        tuple(
            left if seat + 1 in table.leavers else scores[number][seat] if number in scores else None
            for seat in range(seats)
        )
        for number, table in enumerate(tables)
    )


def _score(own: Fraction, others: Sequence[Fraction]) -> SeatScore:
    points = sum(2 if own > other else own == other for other in others)
    mean = sum(others, Fraction(0)) / len(others)
    return SeatScore(own, own - mean, Fraction(100 * points, 2 * len(others)))


def standings(scores: Mapping[P, Sequence[SeatScore | None]]) -> tuple[Row[P], ...]:
    """Return the table of a field from the scores of each player's deals, the best first."""
    sums = []
    for player, own in scores.items():
        compared = [score for score in own if score is not None]
        total = sum((score.score for score in compared), Fraction(0))
        percent = sum((score.percent for score in compared), Fraction(0)) / max(1, len(compared))
        sums.append((total, percent, len(compared), player))
    ranks = sorted(((total, percent) for total, percent, *_ in sums), reverse=True)
    rows = [
        Row(player, total, percent, deals, ranks.index((total, percent)) + 1) for total, percent, deals, player in sums
    ]
    return tuple(sorted(rows, key=lambda row: row.place))
