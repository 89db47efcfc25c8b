"""Normalization of typed moves, which undoes what phones, mailers and people do to them.

Folding is the same for every game: Unicode forms, dashes, arrows, suit symbols, spaces, a bullet or list number in
front, a full stop at the end. The grammar of a move is each game's own.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

from pbem.games.errors import InvalidMove

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.games.game import Move

MAX_LENGTH = 1000
"""Maximum length of a typed move, in characters."""

_TYPED_ARROWS = re.compile("<?[-=~]{1,3}>")
_DRAWN_ARROWS = re.compile("[←-⇿⟰-⟿⤀-⥿⬀-⬑⬰-⭏⭚-⮸⯬-⯯➔-➾👉\U0001f800-\U0001f8ff]")
_DASHES = "\u2212\u02d7\u2052\u2053\u2e43"
"""Characters used as dashes that Unicode does not call dashes, such as the minus sign and the swung dash."""
_SUIT_SYMBOLS = str.maketrans("♠♤♥♡♦♢♣♧❤", "SSHHDDCCH")
_LIST_MARKER = re.compile(r"(?:[-*+•·‣◦]|\(?\d{1,3}[.)])\s+(?=\S)")


def fold(text: str, arrow: str = "-") -> str:
    """Convert a typed line to plain characters: what a person meant, as one keyboard would write it."""
    text = unicodedata.normalize("NFKC", text.translate(_SUIT_SYMBOLS)).translate(_PLAIN)
    if ">" in text:
        text = _TYPED_ARROWS.sub(arrow, text)
    if not text.isascii():
        text = _DRAWN_ARROWS.sub(arrow, text)
    return " ".join(text.split()).rstrip(".! ").lstrip()


def parse_line(text: str, arrow: str, read: Callable[[str], Move]) -> Move:
    """Parse a typed line, and if it is no move, the line without a bullet or list number in front."""
    if len(text) > MAX_LENGTH:
        raise InvalidMove("That is too long for a move.")
    line = fold(text, arrow)
    if not line:
        raise InvalidMove("That line is empty.")
    try:
        return read(line)
    except InvalidMove as first:
        bare = _LIST_MARKER.sub("", line, count=1) if _LIST_MARKER.match(line) else ""
        if not bare:
            raise
        try:
            return read(bare)
        except InvalidMove:
            raise first from None


class _Plain:
    """Replacement of each character in a move, as `str.translate` looks it up."""

    # A mail may hold any of a million characters: only recent ones are cached.
    @lru_cache(maxsize=4096)  # noqa: B019 (there is one instance, and it is never freed)
    def __getitem__(self, number: int) -> str:
        character = chr(number)
        category = unicodedata.category(character)
        if category == "Pd" or character in _DASHES:
            return "-"
        if category == "Zs" or character in "\t\r\n":
            return " "
        if character in "\u0130\u0131":
            # Turkish keyboards type a dotted I and a dotless i, which case-insensitive matching takes for i but
            # lower() does not.
            return "i"
        # Variation selectors, joiners, direction marks and controls mean nothing in a move.
        return "" if category in {"Cf", "Cc", "Mn"} else character


_PLAIN = _Plain()
