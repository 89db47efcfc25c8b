"""Score of a haul of pyramids at the end of a hand of Martian Trickery (Scoring a hand)."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING

from pbem.games.pyramids import SIZES

if TYPE_CHECKING:
    from collections.abc import Sequence

PENALTY = "K"
"""Colour of the penalty pyramids."""

_SINGLE_POINTS = 1
_SAME_SIZE_POINTS = 7
_TREE_POINTS = 5
_ALL_PENALTIES_POINTS = 21
_WHOLE_TREE_POINTS = {"treehouse": 7, "two-stash": 5}


def hand_score(haul: Sequence[str], prizes: str) -> int:
    """Score the pyramids that one seat won in a hand, split in the best way; `prizes` is the option."""
    return _score(tuple(sorted(haul)), _WHOLE_TREE_POINTS[prizes])


@cache
def _score(haul: tuple[str, ...], whole_tree: int) -> int:
    spoilt = [pyramid[1] for pyramid in haul if pyramid[0] == PENALTY]
    points = tuple(pyramid for pyramid in haul if pyramid[0] != PENALTY)
    if len(spoilt) == 1:
        points = tuple(pyramid for pyramid in points if pyramid[1] not in spoilt)
    worth = _best_split(points, whole_tree)
    return (worth, worth, -worth, _ALL_PENALTIES_POINTS + worth)[len(spoilt)]


@cache
def _best_split(points: tuple[str, ...], whole_tree: int) -> int:
    """Return the best score: the first pyramid alone or in any set of three with it, and the best split of the rest."""
    if not points:
        return 0
    first, *others = points
    best = _SINGLE_POINTS + _best_split(tuple(others), whole_tree)
    for i, j in combinations(range(len(others)), 2):
        worth = _set_points((first, others[i], others[j]), whole_tree)
        if worth:
            best = max(best, worth + _best_split((*others[:i], *others[i + 1 : j], *others[j + 1 :]), whole_tree))
    return best


def _set_points(three: tuple[str, str, str], whole_tree: int) -> int:
    sizes = {pyramid[1] for pyramid in three}
    if len(sizes) == 1:
        return _SAME_SIZE_POINTS
    if len(sizes) < len(SIZES):
        return 0
    return whole_tree if len({pyramid[0] for pyramid in three}) == 1 else _TREE_POINTS
