"""Texts that are much alike, such as a match's boards, written small: each piece once, a text as a row of signs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_PIECE = re.compile(r"<[^<\n]*\n?|[^<\n]+\n?|\n")
"""An element's tag with what follows it, or a line."""
_FIRST = 0x80
_SURROGATES = range(0xD800, 0xE000)


class Pieces:
    """The pieces of some texts, in the order of their letters: much alike, neighbours are pressed best."""

    __slots__ = ("_signs",)

    def __init__(self, texts: Iterable[str]) -> None:
        found = {piece for text in texts for piece in _PIECE.findall(text)}
        self._signs = {piece: _sign(number) for number, piece in enumerate(sorted(found))}

    @property
    def listed(self) -> Sequence[str]:
        """All pieces, in the order of their signs."""
        return tuple(self._signs)

    def written(self, text: str) -> str:
        """Write a text that was there from the beginning: a sign for each of its pieces."""
        return "".join(self._signs[piece] for piece in _PIECE.findall(text))


def _sign(number: int) -> str:
    sign = _FIRST + number
    return chr(sign if sign < _SURROGATES.start else sign + len(_SURROGATES))
