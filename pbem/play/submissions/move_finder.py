"""Finding moves among typed lines.

Phones and old mailers break long moves, and three lines of cards are one move of three hands: a line is
tried alone, then joined with the lines directly below it, and the longest joining that is a move counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pbem.games import GameError, IllegalMove, InvalidMove

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pbem.games import Move

JOINED_AT_MOST = 8
"""How many lines below a line may still belong to its move."""


@dataclass(frozen=True, slots=True)
class Found:
    """A move in some lines: its canonical text, and the lines below it."""

    move: Move
    rest: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NotFound:
    """No move in some lines: the line that looked most like one, and what the game says of it."""

    line: str
    reason: GameError


def find(lines: Sequence[str], read: Callable[[str], Move]) -> Found | NotFound:
    """Find the first lines that are a move.

    A line that has the form of a move but may not be played ends the search: whoever typed it meant it,
    and what stands below was written for another position.
    """
    first: NotFound | None = None
    for at, line in enumerate(lines):
        if not line.strip():
            continue
        here = _at(lines, at, read)
        if isinstance(here, Found) or isinstance(here.reason, IllegalMove):
            return here
        first = first or here
    return first or NotFound("", InvalidMove("There is no move in that."))


def _at(lines: Sequence[str], at: int, read: Callable[[str], Move]) -> Found | NotFound:
    found: Found | None = None
    refused: NotFound | None = None
    text = ""
    for end in range(at, min(at + JOINED_AT_MOST + 1, len(lines))):
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
    return refused or NotFound(text, InvalidMove("That is no move."))  # pragma: no cover (a line was there)
