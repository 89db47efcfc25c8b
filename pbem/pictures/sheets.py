"""Fast rendering: the pieces of a drawing are pasted at their places, in the palette of the picture.

Neighbours are pasted together, and the result on the same ground is cached: most of a board is as it was in the
picture before.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING

from PIL import Image

from pbem.pictures.markup import needed_definitions
from pbem.pictures.png_palettes import apply_palette
from pbem.pictures.sprites import make_frame, sprite_parts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pbem.pictures.markup import ParsedDrawing, Piece
    from pbem.pictures.sprites import Frame, Part

    Parts = tuple[Part, ...]
    Box = tuple[int, int, int, int]

_MAX_BOX_PIXELS = 14_000
"""Maximum area in pixels of a box of neighbours that are pasted together."""
_WHITE = (255, 255, 255)
_MARGIN = 1
"""Columns left of the picture on its sheet: a PNG stores a byte before each row, 0 for a row without a filter."""


def draw_picture(drawing: ParsedDrawing, width: int, colours: bytes) -> Image.Image:
    """Draw on white, in the colours of a palette."""
    sheet = _draw_sheet(drawing, width, colours)
    return sheet.crop((_MARGIN, 0, *sheet.size))


def draw_rows(drawing: ParsedDrawing, width: int, colours: bytes) -> tuple[int, bytes]:
    """Draw on white, and return the height and the rows as a PNG stores them."""
    sheet = _draw_sheet(drawing, width, colours)
    sheet.paste(0, (0, 0, _MARGIN, sheet.height))
    return sheet.height, sheet.tobytes()


def _draw_sheet(drawing: ParsedDrawing, width: int, colours: bytes) -> Image.Image:
    within = make_frame(drawing, width)
    size = _MARGIN + width, round(drawing.height * within.scale)
    ground = tuple(takewhile(lambda piece: piece.markup.startswith("<rect"), drawing.pieces))
    sheet = _draw_background(ground, within, size, colours).copy()
    for box, together in _group_neighbours(_place_parts(drawing.pieces[len(ground) :], drawing.definitions, within)):
        _paste(sheet, box, together, colours)
    return sheet


def _place_parts(pieces: Iterable[Piece], definitions: Mapping[str, str], within: Frame) -> Iterator[Part]:
    """Yield the parts of pieces, with their places on the sheet."""
    used = dict[tuple[str, ...], str]()
    for piece in pieces:
        if piece.named not in used:
            used[piece.named] = needed_definitions(piece.named, definitions)
        x, y = _MARGIN + round(piece.x * within.scale), round(piece.y * within.scale)
        for sprite, left, top in sprite_parts(piece.markup, used[piece.named], within):
            yield sprite, x + left, y + top


def _group_neighbours(placed: Iterable[Part]) -> Iterator[tuple[Box, Parts]]:
    """Yield boxes of neighbours, whose places are relative to the corner of their box."""
    together: list[Part] = []
    box: Box = (0, 0, 0, 0)
    for part in placed:
        sprite, x, y = part
        own = x, y, x + sprite.width, y + sprite.height
        wider = (min(box[0], x), min(box[1], y), max(box[2], own[2]), max(box[3], own[3])) if together else own
        if together and (wider[2] - wider[0]) * (wider[3] - wider[1]) > _MAX_BOX_PIXELS:
            yield box, _relative_parts(together, box)
            together, wider = [], own
        together.append(part)
        box = wider
    if together:
        yield box, _relative_parts(together, box)


def _relative_parts(together: list[Part], box: Box) -> Parts:
    return tuple([(sprite, x - box[0], y - box[1]) for sprite, x, y in together])


@lru_cache(maxsize=16)
def _draw_background(
    rectangles: tuple[Piece, ...], within: Frame, size: tuple[int, int], colours: bytes
) -> Image.Image:
    """Draw the rectangles on which everything else lies."""
    sheet = Image.new("P", size, _palette_index(_WHITE, colours))
    sheet.putpalette(colours)
    for box, together in _group_neighbours(_place_parts(rectangles, {}, within)):
        _paste(sheet, box, together, colours)
    return sheet


def _paste(sheet: Image.Image, box: Box, together: Parts, colours: bytes) -> None:
    if len(together) == 1 and (colour := together[0][0].colour):
        sheet.paste(_palette_index(colour, colours), box)
        return
    under = sheet.crop(box)
    pixels = under.tobytes()
    # Most parts lie on one colour, which takes less memory as one byte.
    ground = pixels[:1] if pixels == pixels[:1] * len(pixels) else pixels
    sheet.paste(_combine_parts(together, under.size, ground, colours), box)


@lru_cache(maxsize=2048)
def _combine_parts(together: Parts, size: tuple[int, int], under: bytes, colours: bytes) -> Image.Image:
    """Return the result of pasting some parts on what lies under them: its pixels, or one if all are equal."""
    ground = Image.new("P", size, under[0]) if len(under) == 1 else Image.frombytes("P", size, under)
    ground.putpalette(colours)
    if len(together) > 1:
        for sprite, x, y in together:
            _paste(ground, (x, y, x + sprite.width, y + sprite.height), ((sprite, 0, 0),), colours)
        return ground
    image = together[0][0].image
    whole = ground.convert("RGB")
    whole.paste(image, (0, 0), image)
    return apply_palette(whole, colours)


@lru_cache(maxsize=256)
def _palette_index(colour: tuple[int, ...], colours: bytes) -> int:
    """Return the index of a colour in a palette, or of the nearest one."""
    return int(apply_palette(Image.new("RGB", (1, 1), colour), colours).tobytes()[0])
