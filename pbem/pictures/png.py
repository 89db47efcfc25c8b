"""A drawing as a small PNG, the same on every machine."""

from __future__ import annotations

import io
import re
from collections import Counter
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING

from PIL import Image
from resvg_py import svg_to_bytes

from pbem.pictures.sprites import drawn

if TYPE_CHECKING:
    from collections.abc import Iterator

    Colour = tuple[int, ...]

WIDTH = 600

_PAINT = re.compile(r'(?:fill|stroke|color)="(?:none|currentColor|#([0-9a-f]{6})|([^"]*))"')
_WHITE = (255, 255, 255)
_MOST = 256
_LEVEL = 4
"""A twelfth larger than the best, in half the time."""
_FEW = 64
"""A drawing of more colours than these is no flat one."""


@lru_cache(maxsize=64)
def png(svg: str) -> bytes:
    """Render a drawing; it needs no fonts, since drawings draw their letters themselves."""
    paints = Counter(_PAINT.findall(svg))
    flat = len(paints) <= _FEW and not any(other for _, other in paints)
    sheet = drawn(svg, WIDTH) if flat else None
    if sheet is None:
        return bytes(svg_to_bytes(svg_string=svg, width=WIDTH, background="#ffffff", skip_system_fonts=True))
    return _paletted(sheet, _palette(tuple(known for (known, _), _count in paints.most_common() if known)))


def _paletted(sheet: Image.Image, palette: bytes) -> bytes:
    # One of its own each time: a palette keeps what it has looked up, and threads would share that.
    colours = Image.new("P", (1, 1))
    colours.putpalette(palette)
    file = io.BytesIO()
    sheet.quantize(palette=colours, dither=Image.Dither.NONE).save(file, "PNG", compress_level=_LEVEL)
    return file.getvalue()


@lru_cache(maxsize=64)
def _palette(paints: tuple[str, ...]) -> bytes:
    """Give a drawing's colours, the most used first, and as many of their mixtures as fit: edges are smooth."""
    pure = dict.fromkeys([*map(_colour, paints), _WHITE])
    found = dict.fromkeys([*pure, *_mixtures(tuple(pure))])
    return bytes(value for colour in [*found][:_MOST] for value in colour)


def _mixtures(pure: tuple[Colour, ...]) -> Iterator[Colour]:
    for one, other in sorted(combinations(range(len(pure)), 2), key=max):
        for quarters in (2, 1, 3):
            yield tuple((a * (4 - quarters) + b * quarters) // 4 for a, b in zip(pure[one], pure[other], strict=True))


def _colour(paint: str) -> Colour:
    return tuple(bytes.fromhex(paint))
