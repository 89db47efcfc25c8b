"""Compact encoding of similar texts, such as the boards of a match: each piece is stored once."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_PIECE = re.compile(r"<[^<\n]*\n?|[^<\n]+\n?|\n")
"""A tag with the text that follows it, or a line."""
_FIRST_CODE_POINT = 0x80
_SURROGATES = range(0xD800, 0xE000)


class Pieces:
    """The distinct pieces of some texts, sorted: similar neighbours compress best."""

    __slots__ = ("_signs",)

    def __init__(self, texts: Iterable[str]) -> None:
        found = {piece for text in texts for piece in _PIECE.findall(text)}
        self._signs = {piece: _symbol(number) for number, piece in enumerate(sorted(found))}

    @property
    def all_pieces(self) -> Sequence[str]:
        """All pieces, in the order of their code points."""
        return tuple(self._signs)

    def encode(self, text: str) -> str:
        """Encode one of the initial texts: one character for each of its pieces."""
        return "".join(self._signs[piece] for piece in _PIECE.findall(text))


def _symbol(number: int) -> str:
    sign = _FIRST_CODE_POINT + number
    return chr(sign if sign < _SURROGATES.start else sign + len(_SURROGATES))
