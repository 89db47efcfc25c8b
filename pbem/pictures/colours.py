"""Palettes of pictures: the colours of the drawing, and mixtures of those that meet, for smooth edges."""

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
"""Minimum distance in levels of a mixture from every other colour."""
_TRIED = 1000
"""Maximum number of mixtures tried, those of the first pairs."""


@lru_cache(maxsize=64)
def palette(used: tuple[str, ...]) -> bytes:
    """Return the palette for a drawing's colours, those of its ground first.

    Drawings in our own tones share a palette, so that what is cached of one picture serves another.
    """
    for number, look in enumerate(LOOKS):
        if {*look.values()}.issuperset(used):
            return _look(number)
    return _with_mixtures(used, sorted(combinations(used, 2), key=lambda pair: max(map(used.index, pair))))


def paletted(sheet: Image.Image, colours: bytes) -> Image.Image:
    """Reduce a sheet to the colours of a palette."""
    return sheet.quantize(palette=_own(colours, get_ident()), dither=Image.Dither.NONE)


@lru_cache(maxsize=16)
def _own(colours: bytes, _thread: int) -> Image.Image:
    """Return an image with a palette; it caches lookups, so threads must not share it."""
    own = Image.new("P", (1, 1))
    own.putpalette(colours)
    return own


@cache
def _look(number: int) -> bytes:
    look = LOOKS[number]
    return _with_mixtures(look.values(), [(look[one], look[other]) for one, other in MEETING])


def _with_mixtures(pure: Iterable[str], pairs: Iterable[tuple[str, str]]) -> bytes:
    """Return a palette of some colours, white, and as many mixtures as fit, even ones of all pairs first."""
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
    """Return the square of the distance of two colours."""
    return (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2 + (one[2] - other[2]) ** 2


def _colour(paint: str) -> Colour:
    return tuple(bytes.fromhex(paint.removeprefix("#")))
