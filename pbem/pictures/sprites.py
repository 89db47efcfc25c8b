"""Pieces of drawings as small pictures: each is rendered once and cached.

Rendering a whole board takes up to a tenth of a second, and boards repeat their cards, pyramids and words all the
time.
"""

from __future__ import annotations

import io
import math
import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING

from PIL import Image
from resvg_py import svg_to_bytes

from pbem.pictures.markup import NUMBER, STACK_PATTERN, needed_definitions, split_pieces

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.pictures.markup import Element, ParsedDrawing

    Part = tuple["Sprite", int, int]
    Definitions = tuple[Element, ...]

_RECTANGLE = re.compile(
    rf'(?P<a><rect (?:(?!transform|dash)[^>])* width=")(?P<width>{NUMBER})(?P<b>" height=")(?P<height>{NUMBER})'
    r'(?P<c>"(?:(?!transform|dash)[^>])*/>)'
)

_HEIGHT_STEP = 1500.0
"""Units to which the height of a frame is rounded up."""
_COARSE_SCALE = 0.06
"""Pixels per unit of the first, coarse look for a piece."""
_MIN_SHRUNK_AREA, _EDGE_WIDTH = 30_000, 60.0
"""Minimum area of a rectangle that is shrunk, in square units, and the width of the edges that it keeps, in units."""
_MAX_TILE_PIXELS = 128
"""Maximum width and height of a part in pixels; larger sprites are cut into tiles."""
_OPAQUE = 255


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """Setting in which pieces are rendered: opening tag of their drawings, extent, and pixels per unit."""

    head: str
    reach: tuple[float, float]
    scale: float


@dataclass(frozen=True, slots=True, eq=False)
class Sprite:
    """A rendered piece, or a part of one; if it has one colour it may be wider and higher than its image."""

    image: Image.Image
    width: int
    height: int
    colour: tuple[int, ...] | None = None
    """Its only colour, if it is opaque."""


def make_frame(drawing: ParsedDrawing, width: int) -> Frame:
    """Return the frame of a drawing's pieces, the same for drawings that differ only in height."""
    reach = drawing.width, math.ceil(drawing.height / _HEIGHT_STEP) * _HEIGHT_STEP
    return _find_frame(drawing.head, reach, width / drawing.width)


@lru_cache(maxsize=64)
def _find_frame(head: str, reach: tuple[float, float], scale: float) -> Frame:
    """Return the one frame of these values: what is cached by it is found sooner by its identity."""
    return Frame(head, reach, scale)


@lru_cache(maxsize=4096)
def sprite_parts(piece: str, definitions: Definitions, within: Frame) -> tuple[Part, ...]:
    """Return what a piece is pasted from, each part with its place relative to that of the piece."""
    small, wider, higher = _shrink_rectangle(piece, within.scale)
    found = _render_sprite(small, definitions, within)
    if found is None:
        return ()
    image, left, top = found
    across, down = _split_length(image.width, wider), _split_length(image.height, higher)
    return tuple(
        (sprite, left + x, top + y)
        for (x, wide, at, much), (y, high, under, many) in product(across, down)
        if (sprite := _make_part(_cut(image, (at, under, at + much, under + many)), wide, high))
    )


def _split_length(length: int, more: int) -> Iterator[tuple[int, int, int, int]]:
    """Yield the parts of a length: start and length of each, and start and length before it is stretched.

    A length that is to grow by `more` is stretched in its middle, which is the same everywhere.
    """
    if more:
        half = length // 2
        yield 0, half, 0, half
        yield half, more + 1, half, 1
        yield half + more + 1, length - half - 1, half + 1, length - half - 1
        return
    for at in range(0, length, _MAX_TILE_PIXELS):
        yield at, min(_MAX_TILE_PIXELS, length - at), at, min(_MAX_TILE_PIXELS, length - at)


def _cut(image: Image.Image, box: tuple[int, int, int, int]) -> Image.Image:
    # Most sprites are one part, and need not be cached twice.
    return image if box == (0, 0, *image.size) else image.crop(box)


def _make_part(image: Image.Image, width: int, height: int) -> Sprite | None:
    """Return a part of a sprite, stretched to a size, or None if nothing of it is visible."""
    if image.getbbox() is None:
        return None
    *colour, opaque = image.crop((0, 0, 1, 1)).tobytes()
    if opaque == _OPAQUE and image.getcolors(1):
        return Sprite(image, width, height, tuple(colour))
    size = width, height
    return Sprite(image if image.size == size else image.resize(size, Image.Resampling.NEAREST), width, height)


def _shrink_rectangle(piece: str, scale: float) -> tuple[str, int, int]:
    """Return a rectangle shrunk as far as its edges allow, and how many pixels it is wider and higher."""
    found = _RECTANGLE.fullmatch(piece)
    sizes = (float(found["width"]), float(found["height"])) if found else (0.0, 0.0)
    if found is None or sizes[0] * sizes[1] < _MIN_SHRUNK_AREA:
        return piece, 0, 0
    wider, higher = (max(0, math.floor((size - 2 * _EDGE_WIDTH) * scale)) for size in sizes)
    if not wider or not higher:
        return piece, 0, 0
    wide, high = (f"{size - more / scale:.3f}" for size, more in zip(sizes, (wider, higher), strict=True))
    return f"{found['a']}{wide}{found['b']}{high}{found['c']}", wider, higher


@lru_cache(maxsize=256)
def _render_sprite(piece: str, definitions: Definitions, within: Frame) -> tuple[Image.Image, int, int] | None:
    """Render a piece, and return it with the offset of its corner from its place."""
    if stack := STACK_PATTERN.fullmatch(piece):
        return _combine_stack(stack["inside"], float(stack["scale"]), definitions, within)
    (wide, high), scale = within.reach, within.scale
    whole = _render_image(piece, definitions, within.head, (-wide, -high, 2 * wide, 2 * high), _COARSE_SCALE).getbbox()
    if whole is None:
        return None
    left, top, right, bottom = (each / _COARSE_SCALE for each in whole)
    # One coarse pixel more on every side, in whole pixels.
    corner = round((left - wide - 1 / _COARSE_SCALE) * scale), round((top - high - 1 / _COARSE_SCALE) * scale)
    size = (right - left + 2 / _COARSE_SCALE), (bottom - top + 2 / _COARSE_SCALE)
    image = _render_image(piece, definitions, within.head, (corner[0] / scale, corner[1] / scale, *size), scale)
    box = image.getbbox()
    return (image.crop(box), corner[0] + box[0], corner[1] + box[1]) if box else None


def _combine_stack(inside: str, larger: float, definitions: Definitions, within: Frame) -> tuple[Image.Image, int, int]:
    """Combine pieces that stand together into one."""
    known, scale = {one.name: one for one in definitions}, within.scale
    placed = [
        (sprite[0], round(piece.x * scale) + sprite[1], round(piece.y * scale) + sprite[2])
        for piece in split_pieces(inside, scale=larger)
        if (sprite := _render_sprite(piece.markup, needed_definitions(piece.named, known), within))
    ]
    left, top = min(x for _, x, _y in placed), min(y for _, _x, y in placed)
    right = max(x + image.width for image, x, _y in placed)
    bottom = max(y + image.height for image, _x, y in placed)
    whole = Image.new("RGBA", (right - left, bottom - top))
    for image, x, y in placed:
        whole.alpha_composite(image, (x - left, y - top))
    return whole, left, top


def _render_image(
    piece: str, definitions: Definitions, head: str, box: tuple[float, float, float, float], scale: float
) -> Image.Image:
    width, height = (max(1, round(each * scale)) for each in box[2:])
    view = f'viewBox="{box[0]:.5f} {box[1]:.5f} {width / scale:.5f} {height / scale:.5f}"'
    opened = head.replace("<svg ", f"<svg {view} ", 1)
    defined = "".join([one.markup for one in definitions])
    markup = f"{opened}<defs>{defined}</defs>{piece}</svg>"
    png = svg_to_bytes(svg_string=markup, width=width, skip_system_fonts=True)
    return Image.open(io.BytesIO(bytes(png))).convert("RGBA")
