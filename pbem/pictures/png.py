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
_VIEW = re.compile(r'viewBox="0 0 (\S+) (\S+)"')
_WHITE = (255, 255, 255)
_MOST = 256
_LEVEL = 2
"""A tenth larger than at 4, in two thirds of the time."""
_FEW = 64
"""A drawing of more colours than these is no flat one."""


@lru_cache(maxsize=64)
def png(svg: str, width: int = WIDTH) -> bytes:
    """Render a drawing; it needs no fonts, since drawings draw their letters themselves."""
    used = paints(svg)
    sheet = drawn(svg, width) if used is not None else None
    if sheet is None or used is None:
        return rendered(svg, width)
    file = io.BytesIO()
    paletted(sheet, palette(used)).save(file, "PNG", compress_level=_LEVEL)
    return file.getvalue()


def rendered(svg: str, width: int) -> bytes:
    """Render a drawing of any kind, as a PNG of all colours."""
    return bytes(svg_to_bytes(svg_string=svg, width=width, background="#ffffff", skip_system_fonts=True))


def paints(*svgs: str) -> tuple[str, ...] | None:
    """Give the colours of drawings, the most used first; None where they are no flat ones."""
    counted = Counter(paint for svg in svgs for paint in _PAINT.findall(svg))
    if len(counted) > _FEW or any(other for _, other in counted):
        return None
    return tuple(known for (known, _), _count in counted.most_common() if known)


def size(svg: str) -> tuple[int, int]:
    """Give how wide and high a drawing becomes as a PNG."""
    wide, high = (float(part) for part in _VIEW.findall(svg)[0])
    return WIDTH, round(WIDTH * high / wide)


def paletted(sheet: Image.Image, colours: bytes) -> Image.Image:
    """Have a sheet use some colours only."""
    # One of its own each time: a palette keeps what it has looked up, and threads would share that.
    own = Image.new("P", (1, 1))
    own.putpalette(colours)
    return sheet.quantize(palette=own, dither=Image.Dither.NONE)


@lru_cache(maxsize=64)
def palette(used: tuple[str, ...]) -> bytes:
    """Give a drawing's colours, the most used first, and as many of their mixtures as fit: edges are smooth."""
    pure = dict.fromkeys([*map(_colour, used), _WHITE])
    found = dict.fromkeys([*pure, *_mixtures(tuple(pure))])
    return bytes(value for colour in [*found][:_MOST] for value in colour)


def _mixtures(pure: tuple[Colour, ...]) -> Iterator[Colour]:
    for one, other in sorted(combinations(range(len(pure)), 2), key=max):
        for quarters in (2, 1, 3):
            yield tuple((a * (4 - quarters) + b * quarters) // 4 for a, b in zip(pure[one], pure[other], strict=True))


def _colour(paint: str) -> Colour:
    return tuple(bytes.fromhex(paint))
