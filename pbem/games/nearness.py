"""What somebody may have meant: the legal moves that look most like a typed one.

The texts compared are canonical, or folded as `pbem.games.typed` folds them.
"""

from __future__ import annotations

from difflib import SequenceMatcher
from functools import lru_cache
from heapq import nlargest
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pbem.games.game import Move

NAMED = 3
"""So many moves are named at the most."""
COMPARED = 400
"""So many legal moves are compared with a text at the most."""

_ENOUGH = 0.5
"""Texts less alike than this are not called near."""


@lru_cache(maxsize=1 << 12)
def likeness(one: str, other: str) -> float:
    """Measure from 0 to 1 how alike two short texts are, capitals or not."""
    return SequenceMatcher(None, one.casefold(), other.casefold(), autojunk=False).ratio()


def closest(text: str, moves: Iterable[Move]) -> tuple[Move, ...]:
    """Choose the moves that a text is the beginning of, then those most like it; none if none is near."""
    start = text.casefold()

    def closeness(move: Move) -> float:
        return likeness(move, text) + move.casefold().startswith(start)

    near = [move for move in moves if closeness(move) >= _ENOUGH] if start else []
    return tuple(nlargest(NAMED, near, key=closeness))
