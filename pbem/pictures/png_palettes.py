"""Palettes of pictures: the colours of the drawing, and mixtures of those that meet, for smooth edges."""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import combinations, islice, product
from threading import get_ident
from typing import TYPE_CHECKING

from PIL import Image

from pbem.boards.palette import PNG_COLOUR_SETS, TOUCHING_CLASSES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    Colour = tuple[int, ...]

_WHITE = "#ffffff"
_MAX_COLOURS = 256
_MIN_DISTANCE = 12.0
"""Minimum distance in levels of a mixture from every other colour."""
_MAX_MIXTURES_TRIED = 1000
"""Maximum number of mixtures tried, those of the first pairs."""


@lru_cache(maxsize=64)
def palette(used: tuple[str, ...]) -> bytes:
    """Return the palette for a drawing's colours, those of its ground first.

    Drawings in our own tones share a palette, so that what is cached of one picture serves another.
    """
    for number, look in enumerate(PNG_COLOUR_SETS):
        if {*look.values()}.issuperset(used):
            return _standard_palette(number)
    return _with_mixtures(used, sorted(combinations(used, 2), key=lambda pair: max(map(used.index, pair))))


def apply_palette(sheet: Image.Image, colours: bytes) -> Image.Image:
    """Reduce a sheet to the colours of a palette."""
    return sheet.quantize(palette=_palette_image(colours, get_ident()), dither=Image.Dither.NONE)


@lru_cache(maxsize=16)
def _palette_image(colours: bytes, _thread: int) -> Image.Image:
    """Return an image with a palette; it caches lookups, so threads must not share it."""
    own = Image.new("P", (1, 1))
    own.putpalette(colours)
    return own


@cache
def _standard_palette(number: int) -> bytes:
    look = PNG_COLOUR_SETS[number]
    return _with_mixtures(look.values(), [(look[one], look[other]) for one, other in TOUCHING_CLASSES])


def _with_mixtures(pure: Iterable[str], pairs: Iterable[tuple[str, str]]) -> bytes:
    """Return a palette of some colours, white, and as many mixtures as fit, even ones of all pairs first."""
    found = [*dict.fromkeys(map(_parse_colour, (*pure, _WHITE)))]
    mixtures = _mixtures([(_parse_colour(one), _parse_colour(other)) for one, other in pairs])
    for mixture in islice(mixtures, _MAX_MIXTURES_TRIED):
        if len(found) < _MAX_COLOURS and all(_squared_distance(mixture, other) >= _MIN_DISTANCE**2 for other in found):
            found.append(mixture)
    return bytes(value for colour in found for value in colour)


def _mixtures(pairs: Iterable[tuple[Colour, Colour]]) -> Iterator[Colour]:
    for quarters, (one, other) in product((2, 1, 3), pairs):
        yield tuple((a * (4 - quarters) + b * quarters) // 4 for a, b in zip(one, other, strict=True))


def _squared_distance(one: Colour, other: Colour) -> int:
    """Return the square of the distance of two colours."""
    return (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2 + (one[2] - other[2]) ** 2


def _parse_colour(paint: str) -> Colour:
    return tuple(bytes.fromhex(paint.removeprefix("#")))
