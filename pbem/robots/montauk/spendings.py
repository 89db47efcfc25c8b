"""What groups of values can do to tracks, and what a hasty player makes of them."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from pbem.games.montauk.advice import burden
from pbem.robots.montauk.kinds import GROUPS, NUMBER, TRACKS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pbem.robots.montauk.kinds import Group, TrackNumber

_BURDEN = tuple(map(burden, TRACKS))
_GROUP_SHIFT = 10
"""Bits that a track's number takes."""


class LightestEnds(dict[int, "TrackNumber"]):
    """Tracks with the least burden after a spending, computed when they are first needed.

    There are 924 tracks and 34 groups, so at most some 31 000 are ever kept.
    """

    def __missing__(self, key: int) -> TrackNumber:
        """Compute and keep an end."""
        end = min(ends(key & (1 << _GROUP_SHIFT) - 1, key >> _GROUP_SHIFT), key=_BURDEN.__getitem__)
        self[key] = end
        return end


LIGHTEST_END = LightestEnds()
"""Track after a spending that leaves the least to do; a key is a group's offset plus the number of the track before."""
OFFSET = tuple(group << _GROUP_SHIFT for group in range(len(GROUPS)))
"""Offset of each group in the keys of `LIGHTEST_END`."""


def ends(track: TrackNumber, group: Group) -> list[TrackNumber]:
    """Return all tracks that a spending can lead to, in ascending order."""
    values = GROUPS[group]
    return sorted({*_reached(track, values), *_reached(track, values[::-1])})


def _reached(track: TrackNumber, values: Iterable[int]) -> set[TrackNumber]:
    reached = {track}
    for value in values:
        reached = {end for start in reached for end in _step_ends(start, value)}
    return reached


@cache
def _step_ends(track: TrackNumber, value: int) -> tuple[TrackNumber, ...]:
    """Return the tracks after one step; values are lost once the track is empty."""
    counts = TRACKS[track]
    found = []
    for at, count in enumerate(counts):
        if count:
            after = list(counts)
            after[at] -= 1
            if at >= value:
                after[at - value] += 1
            found.append(NUMBER[tuple(after)])
    return tuple(found) or (track,)
