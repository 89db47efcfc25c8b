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
_MOVED = re.compile(rf'<g transform="translate\(({_NUMBER})[ ,]({_NUMBER})\)">(.*)</g>', re.DOTALL)
_NAME = re.compile(r' id="([^"]+)"')
_NAMED = re.compile(r'href="#([^"]+)"')
_SIZE = re.compile(rf'^<rect[^>]* width="({_NUMBER})" height="({_NUMBER})"')

_VIEW = re.compile(r' viewBox="[^"]*"')

_STEP = 1500.0
"""Heights are rounded up to so many units, where it is looked where a piece lies."""
_COARSE = 0.1
"""Pixels a unit, where it is first looked where a piece lies."""
_LARGE = 60_000
"""A sheet or panel of more square units is kept in a place for few, so that memory stays small."""


@dataclass(frozen=True, slots=True)
class Sprite:
    """A rendered piece, and where its corner lies beside its place."""

    image: Image.Image
    left: int
    top: int


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
        size = _SIZE.match(piece)
        large = size is not None and float(size[1]) * float(size[2]) > _LARGE
        sprite = (_large if large else _small)(piece, _needed(piece, named), head, reach, scale)
        if sprite:
            at = round(x * scale) + sprite.left, round(y * scale) + sprite.top
            sheet.paste(sprite.image, at, sprite.image)
    return sheet


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


def _pieces(text: str, x: float = 0, y: float = 0) -> Iterator[tuple[str, float, float]]:
    """Take their places from elements, so that the same piece elsewhere is the same; groups that only move are cut."""
    for element in _elements(text):
        if moved := _MOVED.fullmatch(element):
            yield from _pieces(moved[3], x + float(moved[1]), y + float(moved[2]))
        elif found := next(filter(None, (place.match(element) for place in _PLACES)), None):
            yield found["a"] + found["b"], x + float(found["x"] or 0), y + float(found["y"] or 0)
        else:
            yield element, x, y


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


def _rendered(piece: str, defs: str, head: str, reach: tuple[float, float], scale: float) -> Sprite | None:
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


_small = lru_cache(maxsize=2048)(_rendered)
_large = lru_cache(maxsize=12)(_rendered)
