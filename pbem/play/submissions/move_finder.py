"""Find moves among typed lines.

Phones and old mailers break long moves, and a move of three hands of cards takes three lines. So each line is tried
alone, then joined with the lines directly below it, and the longest combination that is a move counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pbem.games import GameError, IllegalMove, InvalidMove

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pbem.games import Move

MAX_JOINED_LINES = 8
"""Maximum lines below a line that may still belong to its move."""


@dataclass(frozen=True, slots=True)
class Found:
    """A move that was found: its canonical text, and the lines below it."""

    move: Move
    rest: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NotFound:
    """No move was found: the line that looked most like one, and the game's error for it."""

    line: str
    reason: GameError


def find(lines: Sequence[str], read: Callable[[str], Move]) -> Found | NotFound:
    """Find the first lines that are a move; an illegal move ends the search, because it was meant."""
    first: NotFound | None = None
    for start, line in enumerate(lines):
        if line.strip():
            result = _find_from(lines, start, read)
            if isinstance(result, Found) or isinstance(result.reason, IllegalMove):
                return result
            first = first or result
    return first or NotFound("", InvalidMove("No move found."))


def starts_with_move(lines: Sequence[str], read: Callable[[str], Move]) -> bool:
    """Return whether lines, the first of which is not blank, begin with a move or with what has the form of one."""
    found = _find_from(lines, 0, read)
    return isinstance(found, Found) or isinstance(found.reason, IllegalMove)


def _find_from(lines: Sequence[str], start: int, read: Callable[[str], Move]) -> Found | NotFound:
    found: Found | None = None
    refused: NotFound | None = None
    text = ""
    for end in range(start, min(start + MAX_JOINED_LINES + 1, len(lines))):
        if not lines[end].strip():
            break
        text = f"{text}\n{lines[end].strip()}".strip()
        try:
            found = Found(read(text), tuple(lines[end + 1 :]))
        except IllegalMove as reason:
            refused = NotFound(" ".join(text.split()), reason)
        except InvalidMove as reason:
            refused = refused or NotFound(text, reason)
    if found:
        return found
    return refused or NotFound(text, InvalidMove("That is not a move."))  # pragma: no cover (a line was there)
