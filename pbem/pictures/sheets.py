"""Fast rendering: the elements of a drawing are pasted at their places, in the palette of the picture.

What an element looks like on the ground of its board is cached, and what it looks like on other elements: most of a
board is as it was in the picture before.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING

from PIL import Image

from pbem.pictures.markup import needed_definitions, split_pieces
from pbem.pictures.png_palettes import apply_palette
from pbem.pictures.sprites import make_frame, sprite_parts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pbem.pictures.markup import Element, ParsedDrawing
    from pbem.pictures.sprites import Definitions, Frame, Part

    Parts = tuple[Part, ...]
    Box = tuple[int, int, int, int]

_MAX_BOX_PIXELS = 8_000
"""Maximum area in pixels of a box of neighbours that are pasted together."""
_CELL_PIXELS, _ROW_BYTES = 8, 10
"""Width and height of the cells by which spots are compared, and the bytes of a row of cells, a bit each."""
_ROW_BITS = 8 * _ROW_BYTES
_WHITE = (255, 255, 255)
_MARGIN = 1
"""Columns left of the picture on its sheet: a PNG stores a byte before each row, 0 for a row without a filter."""


@dataclass(frozen=True, slots=True, eq=False)
class Spot:
    """Parts of an element that are pasted together: their box on the sheet, and the cells that it touches."""

    box: Box
    parts: Parts
    cells: int
    """One bit for each cell."""


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """Rectangles on which everything else lies."""

    elements: tuple[Element, ...]
    within: Frame
    size: tuple[int, int]
    colours: bytes


def draw_picture(drawing: ParsedDrawing, width: int, colours: bytes) -> Image.Image:
    """Draw on white, in the colours of a palette."""
    sheet = _draw_sheet(drawing, width, colours)
    picture = sheet.crop((_MARGIN, 0, *sheet.size))
    picture.putpalette(colours)
    return picture


def draw_rows(drawing: ParsedDrawing, width: int, colours: bytes) -> tuple[int, bytes]:
    """Draw on white, and return the height and the rows as a PNG stores them."""
    sheet = _draw_sheet(drawing, width, colours)
    sheet.paste(0, (0, 0, _MARGIN, sheet.height))
    return sheet.height, sheet.tobytes()


def _draw_sheet(drawing: ParsedDrawing, width: int, colours: bytes) -> Image.Image:
    """Return a sheet whose pixels are the indices of colours."""
    within = make_frame(drawing, width)
    size = _MARGIN + width, round(drawing.height * within.scale)
    lowest = tuple(takewhile(lambda element: element.ground, drawing.elements))
    ground = _find_ground(lowest, within, size, colours)
    sheet = _draw_ground(ground).copy()
    taken = 0
    used = dict[tuple[str, ...], "Definitions"]()
    for element in drawing.elements[len(lowest) :]:
        names = element.named
        if names not in used:
            used[names] = needed_definitions(names, drawing.definitions)
        for spot in place_element(element, used[names], within):
            cells, box = spot.cells, spot.box
            sheet.paste(
                _draw_spot(spot.parts, sheet, box, colours) if cells & taken else _draw_on_ground(spot, ground), box
            )
            taken |= cells
    return sheet


@lru_cache(maxsize=64)
def _find_ground(elements: tuple[Element, ...], within: Frame, size: tuple[int, int], colours: bytes) -> Ground:
    """Return the one ground of these values: what is cached by it is found sooner by its identity."""
    return Ground(elements, within, size, colours)


@lru_cache(maxsize=16)
def _draw_ground(ground: Ground) -> Image.Image:
    sheet = Image.new("L", ground.size, _palette_index(_WHITE, ground.colours))
    for element in ground.elements:
        for spot in place_element(element, (), ground.within):
            sheet.paste(_draw_spot(spot.parts, sheet, spot.box, ground.colours), spot.box)
    return sheet


@lru_cache(maxsize=4096)
def _draw_on_ground(spot: Spot, ground: Ground) -> Image.Image | int:
    """Draw a spot where no other element lies."""
    return _draw_spot(spot.parts, _draw_ground(ground), spot.box, ground.colours)


@lru_cache(maxsize=4096)
def place_element(element: Element, definitions: Definitions, within: Frame) -> tuple[Spot, ...]:
    """Return the parts of an element with their places on the sheet."""
    return tuple(_group_neighbours(_place_parts(element, definitions, within)))


def _place_parts(element: Element, definitions: Definitions, within: Frame) -> Iterator[Part]:
    known = {one.name: one for one in definitions}
    for piece in split_pieces(element.markup):
        x, y = _MARGIN + round(piece.x * within.scale), round(piece.y * within.scale)
        for sprite, left, top in sprite_parts(piece.markup, needed_definitions(piece.named, known), within):
            yield sprite, x + left, y + top


def _group_neighbours(placed: Iterable[Part]) -> Iterator[Spot]:
    """Yield boxes of neighbours, whose places are relative to the corner of their box."""
    together: list[Part] = []
    box: Box = (0, 0, 0, 0)
    for part in placed:
        sprite, x, y = part
        own = x, y, x + sprite.width, y + sprite.height
        wider = (min(box[0], x), min(box[1], y), max(box[2], own[2]), max(box[3], own[3])) if together else own
        if together and (wider[2] - wider[0]) * (wider[3] - wider[1]) > _MAX_BOX_PIXELS:
            yield _make_spot(together, box)
            together, wider = [], own
        together.append(part)
        box = wider
    if together:
        yield _make_spot(together, box)


def _make_spot(together: list[Part], box: Box) -> Spot:
    return Spot(box, tuple([(sprite, x - box[0], y - box[1]) for sprite, x, y in together]), _touched_cells(box))


@lru_cache(maxsize=2048)
def _touched_cells(box: Box) -> int:
    """Return the cells that a box touches, one bit each; what is right of a row's last cell is in it."""
    left, top, right, bottom = (max(0, edge) for edge in box)
    first, end = min(left // _CELL_PIXELS, _ROW_BITS - 1), min(-(-right // _CELL_PIXELS), _ROW_BITS)
    row, high = (1 << end) - (1 << first), -(-bottom // _CELL_PIXELS) - top // _CELL_PIXELS
    return int.from_bytes(row.to_bytes(_ROW_BYTES, "little") * high, "little") << top // _CELL_PIXELS * _ROW_BITS


def _draw_spot(parts: Parts, sheet: Image.Image, box: Box, colours: bytes) -> Image.Image | int:
    """Return what parts look like on a sheet: their pixels, or a colour."""
    if len(parts) == 1 and (colour := parts[0][0].colour):
        return _palette_index(colour, colours)
    under = sheet.crop(box)
    pixels = under.tobytes()
    # Most parts lie on one colour, which takes less memory as one byte.
    ground = pixels[:1] if pixels == pixels[:1] * len(pixels) else pixels
    return _combine_parts(parts, under.size, ground, colours)


@lru_cache(maxsize=2048)
def _combine_parts(parts: Parts, size: tuple[int, int], under: bytes, colours: bytes) -> Image.Image:
    """Return the result of pasting some parts on what lies under them: its pixels, or one if all are equal."""
    ground = Image.new("L", size, under[0]) if len(under) == 1 else Image.frombytes("L", size, under)
    if len(parts) > 1:
        for sprite, x, y in parts:
            box = x, y, x + sprite.width, y + sprite.height
            ground.paste(_draw_spot(((sprite, 0, 0),), ground, box, colours), box)
        return ground
    image = parts[0][0].image
    ground.putpalette(colours)
    whole = ground.convert("RGB")
    whole.paste(image, (0, 0), image)
    return Image.frombytes("L", size, apply_palette(whole, colours).tobytes())


@lru_cache(maxsize=256)
def _palette_index(colour: tuple[int, ...], colours: bytes) -> int:
    """Return the index of a colour in a palette, or of the nearest one."""
    return int(apply_palette(Image.new("RGB", (1, 1), colour), colours).tobytes()[0])
