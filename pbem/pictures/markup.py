"""Parsing of a drawing's markup into elements, and of these into pieces and their places.

A drawing writes each element on a line of its own. Boards repeat most of their lines from one position to the next, so
what was parsed is cached by the line.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

NUMBER = r"-?\d*\.?\d+"
_OPENING = re.compile(
    rf'(?P<head><svg [^>]*viewBox="0 0 (?P<width>{NUMBER}) (?P<height>{NUMBER})"[^>]*>)'
    r"(?:<title>[^<]*</title>)?(?:<desc>[^<]*</desc>)?"
)
_CLOSING = "</svg>"
_TOUCH_PLACE, _PLACE_NAME = re.compile(r'<rect data-place="[^>]*/>'), re.compile(r' data-place="[^"]*"')
"""Places to touch and their names, which only pages use; they would keep equal pieces apart."""
_PLACE_EDGE = re.compile(r'<g data-place="[^"]*">|</g>')
"""First and last line of a place whose lines are drawn one by one; nothing else ends on a line of its own."""
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


@dataclass(frozen=True, slots=True, eq=False)
class Element:
    """A line of a drawing: one or more elements, the definitions that they use, and their colours."""

    markup: str
    name: str
    """Its id, if it is a definition."""
    named: tuple[str, ...]
    colours: tuple[str, ...]
    flat: bool
    """Whether it has flat shapes only."""
    count: int
    """Number of its elements; 0 if one of them goes over several lines."""
    ground: bool
    """Whether it has only rectangles, on which other elements may lie."""


@dataclass(frozen=True, slots=True)
class ParsedDrawing:
    """A drawing of flat elements: its opening tag without its size, its definitions, elements and colours."""

    head: str
    width: float
    height: float
    definitions: Mapping[str, Element]
    elements: tuple[Element, ...]
    colours: tuple[str, ...]


def parse_drawing(svg: str) -> ParsedDrawing | None:
    """Parse a drawing, or return None for one that is made of more than flat pieces in a few colours."""
    opening = _OPENING.match(svg)
    if opening is None or not svg.endswith(_CLOSING):
        return None
    pieces = svg[opening.end() : -len(_CLOSING)]
    defs = ""
    if pieces.startswith("<defs>"):
        defs, _, pieces = pieces.removeprefix("<defs>").partition("</defs>")
    symbols, elements = parse_elements(defs), parse_elements(pieces)
    if max([one.count for one in symbols], default=1) > 1:
        symbols = [*map(parse_element, split_elements(defs))]
    every = [*symbols, *elements]
    colours = dict.fromkeys(chain.from_iterable([one.colours for one in every]))
    if len(colours) > _MAX_COLOURS or False in [one.flat for one in every]:
        return None
    return ParsedDrawing(
        # Boards of one game differ in height, but a piece is the same on all of them.
        head=_VIEW_BOX.sub("", opening["head"]),
        width=float(opening["width"]),
        height=float(opening["height"]),
        definitions={one.name: one for one in symbols},
        elements=tuple(elements),
        colours=tuple(colours),
    )


def parse_elements(text: str) -> list[Element]:
    """Parse the lines of a text, or each of its elements where one of them goes over several lines."""
    lines = text.split("\n")
    if len(lines) > 1:
        elements = [one for one in map(parse_element, lines) if one.markup]
        if 0 not in [one.count for one in elements]:
            return elements
    # What is between the elements counts as well if it is foreign.
    return [parse_element.__wrapped__(text)] if _FOREIGN.search(text) else [*map(parse_element, split_elements(text))]


@lru_cache(maxsize=4096)
def parse_element(markup: str) -> Element:
    """Parse one line of a drawing, or one element."""
    text = "" if _PLACE_EDGE.fullmatch(markup) else _PLACE_NAME.sub("", _TOUCH_PLACE.sub("", markup))
    paints, name = _PAINT.findall(text), _ID.search(text)
    return Element(
        markup=text,
        name=name[1] if name else "",
        named=tuple(dict.fromkeys(_REFERENCE.findall(text))),
        colours=tuple(dict.fromkeys(known for known, _ in paints if known)),
        flat=not _FOREIGN.search(text) and not any(other for _, other in paints),
        count=_count_elements(text),
        ground=text.count("<rect ") == text.count("<"),
    )


def _count_elements(text: str) -> int:
    elements = [*split_elements(text)]
    return max(1, len(elements)) if sum(map(len, elements)) == len(text) else 0


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


def needed_definitions(names: Iterable[str], definitions: Mapping[str, Element]) -> tuple[Element, ...]:
    """Return the definitions of some names, then those that these use."""
    wanted, found = [*names], dict[str, Element]()
    for name in wanted:
        if name not in found and name in definitions:
            found[name] = definitions[name]
            wanted += found[name].named
    return tuple(found.values())
