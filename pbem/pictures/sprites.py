"""Drawing quickly: a drawing's pieces are rendered once each, kept, and pasted where the next drawing has them.

Rendering a whole board takes up to a tenth of a second, and boards repeat their cards, pyramids and words all the time.
Drawings that hold more than such pieces are left to the renderer.
"""

from __future__ import annotations

import io
import math
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from PIL import Image
from resvg_py import svg_to_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

_NUMBER = r"-?\d*\.?\d+"
_DRAWING = re.compile(
    rf'(?P<head><svg [^>]*viewBox="0 0 (?P<width>{_NUMBER}) (?P<height>{_NUMBER})"[^>]*>)'
    r"(?:<title>[^<]*</title>)?(?:<desc>[^<]*</desc>)?(?:<defs>(?P<defs>.*?)</defs>)?(?P<pieces>.*)</svg>",
    re.DOTALL,
)
_FOREIGN = re.compile(r"<(?!/?(?:g|use|path|rect|circle|ellipse|line|polyline|polygon)[ />])|url\(|style=")
_TAG = re.compile(r"<(/?)\w+[^<>]*?(/?)>")
_PLACES = (
    re.compile(rf'^(?P<a><\w+[^>]*? transform=")translate\((?P<x>{_NUMBER})[ ,](?P<y>{_NUMBER})\)(?P<b>.*)', re.DOTALL),
    re.compile(rf'^(?P<a><use href="#[^"]+")(?: x="(?P<x>{_NUMBER})")?(?: y="(?P<y>{_NUMBER})")?(?P<b>.*)', re.DOTALL),
    re.compile(rf'^(?P<a><rect[^>]*?) x="(?P<x>{_NUMBER})" y="(?P<y>{_NUMBER})"(?P<b>.*)', re.DOTALL),
    re.compile(rf'^(?P<a><circle[^>]*?) cx="(?P<x>{_NUMBER})" cy="(?P<y>{_NUMBER})"(?P<b>.*)', re.DOTALL),
)
_GROUP = re.compile(
    rf'<g(?: data-piece="[^"]*")?'
    rf'(?: transform="translate\((?P<x>{_NUMBER})[ ,](?P<y>{_NUMBER})\)(?:scale\((?P<scale>{_NUMBER})\))?")?>'
    r"(?P<inside>.*)</g>",
    re.DOTALL,
)
"""What only moves its pieces, enlarges them, or says what they are."""
_STACK = re.compile(rf'<g transform="scale\((?P<scale>{_NUMBER})\)">(?P<inside>(?:<use [^>]*/>){{2,}})</g>')
"""Pieces that always stand together: pasted into one, which is kept."""
_NAME = re.compile(r' id="([^"]+)"')
_NAMED = re.compile(r'href="#([^"]+)"')
_RECTANGLE = re.compile(
    rf'(?P<a><rect (?:(?!transform|dash)[^>])* width=")(?P<width>{_NUMBER})(?P<b>" height=")(?P<height>{_NUMBER})'
    r'(?P<c>"(?:(?!transform|dash)[^>])*/>)'
)

_VIEW = re.compile(r' viewBox="[^"]*"')

_STEP = 1500.0
"""Heights are rounded up to so many units, where it is looked where a piece lies."""
_COARSE = 0.06
"""Pixels a unit, where it is first looked where a piece lies."""
_LARGE, _EDGE = 30_000, 60.0
"""A rectangle of so many square units is all the same between edges of so many units."""
_OPAQUE = 255


@dataclass(frozen=True, slots=True)
class Sprite:
    """A rendered piece, and where its corner lies beside its place."""

    image: Image.Image
    left: int
    top: int

    def put(self, sheet: Image.Image, x: int, y: int, wider: int, higher: int) -> None:
        """Paste it; one that is to be larger is drawn out from its middle, which is the same everywhere."""
        x, y = x + self.left, y + self.top
        if not wider and not higher:
            sheet.paste(self.image, (x, y), self.image)
            return
        across, down = self.image.width // 2, self.image.height // 2
        columns = ((0, across, 0), (across, across + 1, wider + 1), (across + 1, self.image.width, 0))
        rows = ((0, down, 0), (down, down + 1, higher + 1), (down + 1, self.image.height, 0))
        below = y
        for top, bottom, high in rows:
            beside = x
            for left, right, wide in columns:
                size = wide or right - left, high or bottom - top
                _fill(sheet, self.image.crop((left, top, right, bottom)), (beside, below), size)
                beside += size[0]
            below += size[1]


def _fill(sheet: Image.Image, part: Image.Image, at: tuple[int, int], size: tuple[int, int]) -> None:
    """Paste a part of a sprite, drawn out to a size."""
    lowest, highest = part.getchannel("A").getextrema()
    if not highest:
        return
    drawn_out = part if part.size == size else part.resize(size, Image.Resampling.NEAREST)
    sheet.paste(drawn_out, at, None if lowest == _OPAQUE else drawn_out)


def drawn(svg: str, width: int) -> Image.Image | None:
    """Render a drawing on white, or give None for one that is made of more than pieces."""
    parts = _DRAWING.fullmatch(svg)
    if parts is None or _FOREIGN.search(parts["pieces"] + (parts["defs"] or "")):
        return None
    scale = width / float(parts["width"])
    named = {_NAME.findall(symbol)[0]: symbol for symbol in _elements(parts["defs"] or "")}
    sheet = Image.new("RGB", (width, round(float(parts["height"]) * scale)), "#ffffff")
    # Boards of one game differ in height: a piece is the same on all of them.
    head = _VIEW.sub("", parts["head"])
    reach = float(parts["width"]), math.ceil(float(parts["height"]) / _STEP) * _STEP
    for piece, x, y in _pieces(parts["pieces"]):
        small, wider, higher = _smaller(piece, scale)
        sprite = _sprite(small, _needed(piece, named), head, reach, scale)
        if sprite:
            sprite.put(sheet, round(x * scale), round(y * scale), wider, higher)
    return sheet


def _smaller(piece: str, scale: float) -> tuple[str, int, int]:
    """Give a rectangle as small as it can be with the same edges, and how many pixels it is wider and higher."""
    found = _RECTANGLE.fullmatch(piece)
    sizes = (float(found["width"]), float(found["height"])) if found else (0.0, 0.0)
    if found is None or sizes[0] * sizes[1] < _LARGE:
        return piece, 0, 0
    wider, higher = (max(0, math.floor((size - 2 * _EDGE) * scale)) for size in sizes)
    if not wider or not higher:
        return piece, 0, 0
    wide, high = (f"{size - more / scale:.3f}" for size, more in zip(sizes, (wider, higher), strict=True))
    return f"{found['a']}{wide}{found['b']}{high}{found['c']}", wider, higher


def _elements(text: str) -> Iterator[str]:
    """Cut markup into its outermost elements."""
    depth = start = 0
    for tag in _TAG.finditer(text):
        closing, alone = tag[1], tag[2]
        if depth == 0:
            start = tag.start()
        depth += -1 if closing else 0 if alone else 1
        if depth == 0:
            yield text[start : tag.end()]


def _pieces(text: str, x: float = 0, y: float = 0, scale: float = 1) -> Iterator[tuple[str, float, float]]:
    """Take their places from elements, so that the same piece elsewhere is the same; groups are cut where they can."""
    for element in _elements(text):
        if group := _GROUP.fullmatch(element):
            at = x + scale * float(group["x"] or 0), y + scale * float(group["y"] or 0)
            larger = scale * float(group["scale"] or 1)
            stack = f'<g transform="scale({larger:.4f})">{group["inside"]}</g>'
            if _STACK.fullmatch(stack):
                yield stack, *at
            else:
                yield from _pieces(group["inside"], *at, larger)
            continue
        found = next(filter(None, (place.match(element) for place in _PLACES)), None)
        piece = found["a"] + found["b"] if found else element
        at = (x + scale * float(found["x"] or 0), y + scale * float(found["y"] or 0)) if found else (x, y)
        yield piece if scale == 1 else f'<g transform="scale({scale:.4f})">{piece}</g>', *at


def _needed(piece: str, named: dict[str, str]) -> str:
    """Give the definitions that a piece is made of, and those that they are made of."""
    needed: dict[str, None] = {}
    wanted = _NAMED.findall(piece)
    while wanted:
        name = wanted.pop()
        if name not in needed and name in named:
            needed[name] = None
            wanted += _NAMED.findall(named[name])
    return "".join(named[name] for name in sorted(needed))


def _stacked(inside: str, larger: float, defs: str, head: str, reach: tuple[float, float], scale: float) -> Sprite:
    """Put pieces that stand together into one."""
    named = {_NAME.findall(symbol)[0]: symbol for symbol in _elements(defs)}
    placed = [
        (sprite, round(x * scale) + sprite.left, round(y * scale) + sprite.top)
        for piece, x, y in _pieces(inside, scale=larger)
        if (sprite := _sprite(piece, _needed(piece, named), head, reach, scale))
    ]
    left, top = min(x for _, x, _y in placed), min(y for _, _x, y in placed)
    right = max(x + sprite.image.width for sprite, x, _y in placed)
    bottom = max(y + sprite.image.height for sprite, _x, y in placed)
    image = Image.new("RGBA", (right - left, bottom - top))
    for sprite, x, y in placed:
        image.alpha_composite(sprite.image, (x - left, y - top))
    return Sprite(image, left, top)


def _rendered(piece: str, defs: str, head: str, reach: tuple[float, float], scale: float) -> Sprite | None:
    if stack := _STACK.fullmatch(piece):
        return _stacked(stack["inside"], float(stack["scale"]), defs, head, reach, scale)
    wide, high = reach
    whole = _image(piece, defs, head, (-wide, -high, 2 * wide, 2 * high), _COARSE).getbbox()
    if whole is None:
        return None
    left, top, right, bottom = (each / _COARSE for each in whole)
    # A step of the coarse look more on every side, in whole pixels.
    corner = round((left - wide - 1 / _COARSE) * scale), round((top - high - 1 / _COARSE) * scale)
    size = (right - left + 2 / _COARSE), (bottom - top + 2 / _COARSE)
    image = _image(piece, defs, head, (corner[0] / scale, corner[1] / scale, *size), scale)
    box = image.getbbox()
    return Sprite(image.crop(box), corner[0] + box[0], corner[1] + box[1]) if box else None


def _image(piece: str, defs: str, head: str, box: tuple[float, float, float, float], scale: float) -> Image.Image:
    width, height = (max(1, round(each * scale)) for each in box[2:])
    view = f'viewBox="{box[0]:.5f} {box[1]:.5f} {width / scale:.5f} {height / scale:.5f}"'
    opened = head.replace("<svg ", f"<svg {view} ", 1)
    png = svg_to_bytes(svg_string=f"{opened}<defs>{defs}</defs>{piece}</svg>", width=width, skip_system_fonts=True)
    return Image.open(io.BytesIO(bytes(png))).convert("RGBA")


_sprite = lru_cache(maxsize=2048)(_rendered)
