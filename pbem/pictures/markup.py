"""Parsing of a drawing's markup into pieces and their places, so that a piece is the same wherever it lies.

Boards repeat most of their markup from one position to the next, so what was parsed is cached.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

NUMBER = r"-?\d*\.?\d+"
_DRAWING = re.compile(
    rf'(?P<head><svg [^>]*viewBox="0 0 (?P<width>{NUMBER}) (?P<height>{NUMBER})"[^>]*>)'
    r"(?:<title>[^<]*</title>)?(?:<desc>[^<]*</desc>)?(?:<defs>(?P<defs>.*?)</defs>)?(?P<pieces>.*)</svg>",
    re.DOTALL,
)
_TOUCH_PLACE, _PLACE_NAME = re.compile(r'<rect data-place="[^>]*/>'), re.compile(r' data-place="[^"]*"')
"""Places to touch and their names, which only pages use; they would keep equal pieces apart.

Two patterns are ten times as fast as one with an alternative, since each begins with a text to search for.
"""
_VIEW_BOX = re.compile(r' viewBox="[^"]*"')
_FOREIGN = re.compile(r"<(?!/?(?:g|use|path|rect|circle|ellipse|line|polyline|polygon)[ />])|url\(|style=")
_TAG = re.compile(r"<[^<>]*>")
_PLACE_PATTERNS = (
    re.compile(rf'^(?P<a><\w+[^>]*? transform=")translate\((?P<x>{NUMBER})[ ,](?P<y>{NUMBER})\)(?P<b>.*)', re.DOTALL),
    re.compile(rf'^(?P<a><use href="#[^"]+")(?: x="(?P<x>{NUMBER})")?(?: y="(?P<y>{NUMBER})")?(?P<b>.*)', re.DOTALL),
    re.compile(rf'^(?P<a><rect[^>]*?) x="(?P<x>{NUMBER})" y="(?P<y>{NUMBER})"(?P<b>.*)', re.DOTALL),
    re.compile(rf'^(?P<a><circle[^>]*?) cx="(?P<x>{NUMBER})" cy="(?P<y>{NUMBER})"(?P<b>.*)', re.DOTALL),
)
_GROUP = re.compile(
    r'<g(?P<shared>(?: (?:class|color|fill|stroke|stroke-width|fill-opacity|stroke-opacity)="[^"]*")*)'
    rf'(?: transform="translate\((?P<x>{NUMBER})[ ,](?P<y>{NUMBER})\)(?:scale\((?P<scale>{NUMBER})\))?"'
    rf'| transform="scale\((?P<alone>{NUMBER})\)")?>'
    r"(?P<inside>.*)</g>",
    re.DOTALL,
)
"""Group that only moves or scales its pieces, or colours those without a colour of their own."""
STACK_PATTERN = re.compile(rf'<g transform="scale\((?P<scale>{NUMBER})\)">(?P<inside>(?:<use [^>]*/>){{2,}})</g>')
"""Pieces that always stand together: pasted into one, which is cached."""
_ID = re.compile(r' id="([^"]+)"')
_REFERENCE = re.compile(r'href="#([^"]+)"')
_PAINT = re.compile(r'(?:fill|stroke|color)="(?:none|currentColor|(#[0-9a-f]{6})|([^"]*))"')
_MAX_COLOURS = 64
"""Maximum number of colours of a flat drawing."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a drawing, its place, and the names of the definitions that it uses."""

    markup: str
    x: float
    y: float
    named: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Element:
    """One of a drawing's outermost elements: its pieces, its colours, and whether it has flat shapes only."""

    markup: str
    pieces: tuple[Piece, ...]
    colours: tuple[str, ...]
    flat: bool


@dataclass(frozen=True, slots=True)
class ParsedDrawing:
    """A drawing of flat pieces: its opening tag without its size, its definitions, pieces and colours."""

    head: str
    width: float
    height: float
    definitions: Mapping[str, str]
    pieces: tuple[Piece, ...]
    colours: tuple[str, ...]


def parse_drawing(svg: str) -> ParsedDrawing | None:
    """Parse a drawing, or return None for one that is made of more than flat pieces in a few colours."""
    parts = _DRAWING.fullmatch(_PLACE_NAME.sub("", _TOUCH_PLACE.sub("", svg)))
    if parts is None:
        return None
    definitions = _definition_elements(parts["defs"] or "")
    elements = [*map(parse_element, split_elements(parts["pieces"]))]
    every = [*definitions.values(), *elements]
    colours = dict.fromkeys(chain.from_iterable([one.colours for one in every]))
    if len(colours) > _MAX_COLOURS or not all(one.flat for one in every) or _has_foreign(parts["pieces"], elements):
        return None
    return ParsedDrawing(
        # Boards of one game differ in height, but a piece is the same on all of them.
        head=_VIEW_BOX.sub("", parts["head"]),
        width=float(parts["width"]),
        height=float(parts["height"]),
        definitions=parse_definitions(parts["defs"] or ""),
        pieces=tuple(chain.from_iterable([one.pieces for one in elements])),
        colours=tuple(colours),
    )


@lru_cache(maxsize=64)
def _definition_elements(text: str) -> Mapping[str, Element]:
    symbols = [*map(parse_element, split_elements(text))]
    if _has_foreign(text, symbols):
        return {text: parse_element(text)}
    return {name[1]: symbol for symbol in symbols if (name := _ID.search(symbol.markup))}


def _has_foreign(text: str, elements: Sequence[Element]) -> bool:
    """Return whether there is more than elements in a text, and anything foreign in it."""
    return sum([len(one.markup) for one in elements]) < len(text) and bool(_FOREIGN.search(text))


@lru_cache(maxsize=4096)
def parse_element(markup: str) -> Element:
    """Parse one element."""
    paints = _PAINT.findall(markup)
    return Element(
        markup=markup,
        pieces=tuple(split_pieces(markup)),
        colours=tuple(dict.fromkeys(known for known, _ in paints if known)),
        flat=not _FOREIGN.search(markup) and not any(other for _, other in paints),
    )


def split_elements(text: str) -> Iterator[str]:
    """Split markup into its outermost elements."""
    depth = start = 0
    for tag in _TAG.finditer(text):
        written = tag[0]
        if depth == 0:
            start = tag.start()
        if written[1] == "/":
            depth -= 1
        elif written[-2] != "/":
            depth += 1
        if depth == 0:
            yield text[start : tag.end()]


def parse_definitions(text: str) -> dict[str, str]:
    """Return definitions by name."""
    return {name: symbol.markup for name, symbol in _definition_elements(text).items()}


def split_pieces(text: str, x: float = 0, y: float = 0, scale: float = 1, shared: str = "") -> Iterator[Piece]:
    """Yield elements as pieces without their places, so that equal pieces compare equal; groups are split if possible.

    `shared` is the opening tags of the groups around.
    """
    for one in split_elements(text):
        if group := _GROUP.fullmatch(one):
            at = x + scale * float(group["x"] or 0), y + scale * float(group["y"] or 0)
            larger = scale * float(group["scale"] or group["alone"] or 1)
            stack = f'<g transform="scale({larger:.4f})">{group["inside"]}</g>'
            if STACK_PATTERN.fullmatch(stack) and not shared and not group["shared"]:
                yield Piece(stack, *at, tuple(_REFERENCE.findall(stack)))
            else:
                yield from split_pieces(
                    group["inside"], *at, larger, shared + (group["shared"] and f"<g{group['shared']}>")
                )
            continue
        found = next(filter(None, (place.match(one) for place in _PLACE_PATTERNS)), None)
        piece = found["a"] + found["b"] if found else one
        at = (x + scale * float(found["x"] or 0), y + scale * float(found["y"] or 0)) if found else (x, y)
        around = shared + ("" if scale == 1 else f'<g transform="scale({scale:.4f})">')
        yield Piece(around + piece + "</g>" * around.count("<g"), *at, tuple(_REFERENCE.findall(piece)))


def needed_definitions(names: tuple[str, ...], definitions: Mapping[str, str]) -> str:
    """Return the definitions of some names, and those that they use."""
    wanted, found = [*names], set[str]()
    while wanted:
        name = wanted.pop()
        if name not in found and name in definitions:
            found.add(name)
            wanted += _REFERENCE.findall(definitions[name])
    return "".join(definitions[name] for name in sorted(found))
