"""Line wrapping after which no line can be a move: each line has a word that is in no move of any game.

Every game parses a whole line, alone or joined with the lines below it, and refuses unknown words. One unknown word per
line is therefore enough, however a mail program quotes the lines.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from pbem.boards.prose import unglued
from pbem.games import cards, pyramids
from pbem.i18n import _

if TYPE_CHECKING:
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet

LINE_WIDTH = 72

MOVE_WORDS = frozenset({
    "and", "claim", "claims", "draft", "empty", "follow", "for", "from", "hand", "hands", "keep", "lead", "move",
    "none", "nothing", "off", "pass", "pick", "play", "sow", "spend", "swap", "take", "takes", "the", "tree", "vault",
    "with",
}) | cards.WORDS | pyramids.WORDS  # fmt: skip
"""Every word of three letters or more that some game reads in a move."""

_WORD = re.compile(r"\b[^\W\d_]{3,}\b")
_MAX_MOVE_PIECE_LENGTH = 30
"""Maximum characters of a move without a space; hashes and addresses are longer."""
_MAX_MOVED_WORDS = 8
"""Maximum words moved to the next line to tell it from a move."""


def extract_words(moves: Sequence[str]) -> frozenset[str]:
    """Return the words that some moves consist of, in lower case."""
    return frozenset(map(str.casefold, _WORD.findall("\n".join(moves))))


def is_not_a_move(line: str, known: AbstractSet[str]) -> bool:
    """Return whether a line contains something that is in no move."""
    if any(word[0].casefold() not in known for word in _WORD.finditer(line)):
        return True
    return any(len(piece) > _MAX_MOVE_PIECE_LENGTH for piece in line.split())


def wrap_text(text: str, known: frozenset[str], front: str = "", width: int = LINE_WIDTH) -> tuple[str, ...]:
    """Wrap a text, but not within words that are glued together; `front` is the prefix of the first line.

    A line that could be a move takes words from the line before it, or begins with a word that continues the list. The
    first line is as long as it has to be.
    """
    return _wrap(text, known, front, width, _("also"))


@lru_cache(maxsize=1024)
def _wrap(text: str, known: frozenset[str], front: str, width: int, also: str) -> tuple[str, ...]:
    """Wrap a text; half of those in a mail were in one before it."""
    # `split()` would part words at the glue between them.
    rest = [piece for piece in text.replace("\n", " ").replace("\r", " ").replace("\t", " ").split(" ") if piece]
    room, lines = width - len(front), list[list[str]]()
    if len(whole := " ".join(rest)) <= room:
        return (unglued(front + whole),) if whole else ()
    while rest:
        line = _fill_line(rest, room)
        if not is_not_a_move(" ".join(line), known):
            if lines:
                lines[-1], rest = _rebalance(lines[-1], rest, room, known, also)
                line = _fill_line(rest, room)
            else:
                counts = range(len(line), len(rest))
                line = rest[: next((many for many in counts if is_not_a_move(" ".join(rest[:many]), known)), len(rest))]
        lines.append(line)
        rest = rest[len(line) :]
    return tuple(unglued((" " * len(front) if number else front) + " ".join(line)) for number, line in enumerate(lines))


def _fill_line(pieces: list[str], room: int) -> list[str]:
    """Return as many pieces as fit in a line, but at least one."""
    end = -1
    for count, piece in enumerate(pieces):
        end += 1 + len(piece)
        if end > room:
            return pieces[: max(1, count)]
    return pieces


def _rebalance(
    before: list[str], rest: list[str], room: int, known: AbstractSet[str], also: str
) -> tuple[list[str], list[str]]:
    """Move words from a line to the next one, so that the next one cannot be a move; return both."""
    for count in range(1, min(_MAX_MOVED_WORDS, len(before) - 1) + 1):
        left, pushed = before[:-count], [*before[-count:], *rest]
        if not is_not_a_move(" ".join(left), known):
            break
        if is_not_a_move(" ".join(_fill_line(pushed, room)), known):
            return left, pushed
    return before, [also, *rest]
