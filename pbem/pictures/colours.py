"""The colours of a picture: those of its drawing, and mixtures of those that meet, since edges are smooth."""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import combinations, islice, product
from threading import get_ident
from typing import TYPE_CHECKING

from PIL import Image

from pbem.boards.palette import LOOKS, MEETING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    Colour = tuple[int, ...]

_WHITE = "#ffffff"
_MOST = 256
_APART = 12.0
"""Mixtures that are nearer to another colour than that, in levels, are left out."""
_TRIED = 1000
"""So many mixtures are looked at, those of the first pairs."""


@lru_cache(maxsize=64)
def palette(used: tuple[str, ...]) -> bytes:
    """Give the palette for a drawing's colours, those of its ground first.

    Drawings in our own tones all have the same, so that what is kept of one picture serves another.
    """
    for number, look in enumerate(LOOKS):
        if {*look.values()}.issuperset(used):
            return _look(number)
    return _with_mixtures(used, sorted(combinations(used, 2), key=lambda pair: max(map(used.index, pair))))


def paletted(sheet: Image.Image, colours: bytes) -> Image.Image:
    """Have a sheet use some colours only."""
    return sheet.quantize(palette=_own(colours, get_ident()), dither=Image.Dither.NONE)


@lru_cache(maxsize=16)
def _own(colours: bytes, _thread: int) -> Image.Image:
    """Give an image of a palette; that keeps what was looked up in it, which threads must not share."""
    own = Image.new("P", (1, 1))
    own.putpalette(colours)
    return own


@cache
def _look(number: int) -> bytes:
    look = LOOKS[number]
    return _with_mixtures(look.values(), [(look[one], look[other]) for one, other in MEETING])


def _with_mixtures(pure: Iterable[str], pairs: Iterable[tuple[str, str]]) -> bytes:
    """Give some colours, white, and as many mixtures as fit, even ones of all pairs first."""
    found = [*dict.fromkeys(map(_colour, (*pure, _WHITE)))]
    mixtures = _mixtures([(_colour(one), _colour(other)) for one, other in pairs])
    for mixture in islice(mixtures, _TRIED):
        if len(found) < _MOST and all(_distance(mixture, other) >= _APART**2 for other in found):
            found.append(mixture)
    return bytes(value for colour in found for value in colour)


def _mixtures(pairs: Iterable[tuple[Colour, Colour]]) -> Iterator[Colour]:
    for quarters, (one, other) in product((2, 1, 3), pairs):
        yield tuple((a * (4 - quarters) + b * quarters) // 4 for a, b in zip(one, other, strict=True))


def _distance(one: Colour, other: Colour) -> int:
    """Give the square of how far two colours are apart."""
    return (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2 + (one[2] - other[2]) ** 2


def _colour(paint: str) -> Colour:
    return tuple(bytes.fromhex(paint.removeprefix("#")))
