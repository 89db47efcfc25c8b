"""The table of a group: points, tie-breaks and places, computed from the results of its matches.

Every two of a group meet once, at a table of two seats or more, and each such meeting is worth a point to the better
one, or half a point to both. So a match of two has 1, ½ and 0 points, and one of three 2, 1 and 0 by place.

Somebody who leaves before half of their matches are over has no meetings: all their results leave the table. Somebody
who leaves later has lost the meetings that are not over. So nobody has more or fewer decided meetings than others for
any reason but these.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations, groupby
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

PROMOTED = RELEGATED = 2
"""How many of a group go up, and how many down."""


@dataclass(frozen=True, slots=True)
class TableResult:
    """A match of a group, by seats: its players, None for a robot, and once it is over how they did.

    The higher of two `scores` is better, and equal ones are a tie. `points` are those of the game, if it was played to
    its end. A match that does not count is a friendly one with a robot, or one that was annulled.
    """

    players: tuple[int | None, ...]
    scores: tuple[float, ...] | None = None
    points: tuple[float, ...] | None = None
    ended_at: datetime | None = None
    counts: bool = True


class Meeting(NamedTuple):
    """A decided meeting of two: the points of the first, and by how many points of the game they were better."""

    first: int
    second: int
    points: float
    margin: float

    def turned(self) -> Meeting:
        """Return the meeting as the second one sees it."""
        return Meeting(self.second, self.first, 1 - self.points, -self.margin)


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the table.

    `place` is None for somebody whose results have left the table. `meetings` are decided ones, `direct` the points
    from meetings with those who have as many points, and `tie_break` Sonneborn-Berger's score, or the sum of margins
    where more than two play.
    """

    player: int
    place: int | None
    points: float = 0
    meetings: int = 0
    wins: int = 0
    direct: float = 0
    tie_break: float = 0
    has_left: bool = False

    @property
    def key(self) -> tuple[float, float, float, int]:
        """What orders the rows; equal ones share a place."""
        return -self.points, -self.direct, -self.tie_break, -self.wins


class Movement(StrEnum):
    """Where a place leads in the next season."""

    UP = "up"
    STAYS = "stays"
    DOWN = "down"


def standings(
    players: Sequence[int], results: Sequence[TableResult], left: Mapping[int, datetime] | None = None
) -> tuple[Row, ...]:
    """Return the rows of a group in order, the best first; `left` is when some of its players left.

    Those whose results have left the table come last.
    """
    left = left or {}
    gone = {player for player in left if leaves_no_results(player, results, left[player])}
    staying = [player for player in players if player not in gone]
    met = _by_player(meetings(staying, results, left))
    points = {player: sum(one.points for one in met[player]) for player in staying}
    breaks = _margins if any(len(result.players) > _PAIR for result in results) else _sonneborn_berger
    rows = [
        Row(
            player,
            None,
            points[player],
            len(met[player]),
            sum(one.points == 1 for one in met[player]),
            sum(one.points for one in met[player] if points[one.second] == points[player]),
            breaks(met[player], points),
            player in left,
        )
        for player in staying
    ]
    ordered = sorted(rows, key=lambda row: row.key)
    return (*_with_places(ordered), *(Row(player, None, has_left=True) for player in players if player in gone))


def leaves_no_results(player: int, results: Iterable[TableResult], left_at: datetime) -> bool:
    """Return whether somebody left before half of their matches were over."""
    theirs = [result for result in results if result.counts and player in result.players]
    over = sum(result.ended_at is not None and result.ended_at < left_at for result in theirs)
    return 2 * over < len(theirs)


def meetings(players: Iterable[int], results: Iterable[TableResult], left: Mapping[int, datetime]) -> Iterator[Meeting]:
    """Yield the decided meetings of some players, of whom some left at a time and have lost what was not over."""
    listed = {*players}
    for result in results:
        seats = [
            (seat, player) for seat, player in enumerate(result.players) if player is not None and player in listed
        ]
        decided = (_meeting(result, one, other, left) for one, other in combinations(seats, 2) if result.counts)
        yield from (met for met in decided if met)


def movements(rows: Sequence[Row], group: int, groups: int) -> dict[int, Movement]:
    """Return who of a group goes up or down; of the best group nobody goes up, and of the last nobody down.

    While no meeting is decided all share the first place, and nobody moves.
    """
    placed = [row for row in rows if row.place is not None]
    if not any(row.meetings for row in placed):
        return {row.player: Movement.STAYS for row in placed}
    return {row.player: _movement(row.place or 0, len(placed), group, groups) for row in placed}


def next_group(group: int, movement: Movement) -> int:
    """Return the number of the group that a place leads to."""
    return group + {Movement.UP: -1, Movement.STAYS: 0, Movement.DOWN: 1}[movement]


_PAIR = 2


def _movement(place: int, placed: int, group: int, groups: int) -> Movement:
    if place <= PROMOTED and group > 1:
        return Movement.UP
    if place > max(placed - RELEGATED, PROMOTED) and group < groups:
        return Movement.DOWN
    return Movement.STAYS


def _meeting(
    result: TableResult, one: tuple[int, int], other: tuple[int, int], left: Mapping[int, datetime]
) -> Meeting | None:
    (seat, player), (other_seat, opponent) = one, other
    leaver = min((who for who in (player, opponent) if who in left), key=lambda who: left[who], default=None)
    if leaver is not None and (result.ended_at is None or result.ended_at >= left[leaver]):
        return Meeting(player, opponent, float(leaver == opponent), 0)
    if result.scores is None:
        return None
    better = result.scores[seat] - result.scores[other_seat]
    margin = result.points[seat] - result.points[other_seat] if result.points else 0
    return Meeting(player, opponent, 0.5 if better == 0 else float(better > 0), margin)


def _by_player(met: Iterable[Meeting]) -> Mapping[int, list[Meeting]]:
    """Return meetings by player, each as that one sees it."""
    theirs: defaultdict[int, list[Meeting]] = defaultdict(list)
    for meeting in met:
        theirs[meeting.first].append(meeting)
        theirs[meeting.second].append(meeting.turned())
    return theirs


def _sonneborn_berger(met: Sequence[Meeting], points: Mapping[int, float]) -> float:
    return sum(one.points * points[one.second] for one in met)


def _margins(met: Sequence[Meeting], _points: Mapping[int, float]) -> float:
    return sum(one.margin for one in met)


def _with_places(ordered: Sequence[Row]) -> Iterator[Row]:
    """Yield rows with their places; equal rows share the better one."""
    place = 1
    for _key, equal in groupby(ordered, key=lambda row: row.key):
        shared = [*equal]
        for row in shared:
            yield Row(row.player, place, row.points, row.meetings, row.wins, row.direct, row.tie_break, row.has_left)
        place += len(shared)
