"""Legal moves that look most like a typed text.

The texts compared are canonical, or folded as `pbem.games.typed_text` folds them.
"""

from __future__ import annotations

from difflib import SequenceMatcher
from functools import lru_cache
from heapq import nlargest
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pbem.games.game import Move

MAX_NEAREST = 3
"""Maximum number of moves suggested."""
MAX_COMPARED = 400
"""Maximum number of legal moves compared with a text."""

_MIN_LIKENESS = 0.5
"""Minimum likeness of a text that counts as near."""


@lru_cache(maxsize=1 << 12)
def likeness(one: str, other: str) -> float:
    """Return from 0 to 1 how alike two short texts are, ignoring case."""
    return SequenceMatcher(None, one.casefold(), other.casefold(), autojunk=False).ratio()


def closest(text: str, moves: Iterable[Move]) -> tuple[Move, ...]:
    """Return the moves that a text is the beginning of, then those most like it; none if none is near."""
    start = text.casefold()

    def closeness(move: Move) -> float:
        return likeness(move, text) + move.casefold().startswith(start)

    near = [move for move in moves if closeness(move) >= _MIN_LIKENESS] if start else []
    return tuple(nlargest(MAX_NEAREST, near, key=closeness))
