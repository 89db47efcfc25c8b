"""Shapes that the pictures share: the sheet itself, cards, arrows."""

from __future__ import annotations

from functools import lru_cache
from html import escape
from math import atan2, degrees, dist
from typing import TYPE_CHECKING, TypeAlias

from pbem.boards.numbers import number
from pbem.boards.palette import tone
from pbem.boards.stroke_font import label

if TYPE_CHECKING:
    from collections.abc import Iterable

WIDTH = 720
"""Width of every picture, in its own units."""

Box: TypeAlias = tuple[float, float, float, float]
"""A rectangle: left, top, width, height."""
Point: TypeAlias = tuple[float, float]
PALE_ATTRIBUTES = 'fill-opacity="0.6" stroke-opacity="0.6"'
"""Attributes of a group whose shapes are there but do not count; they must not overlap."""

_CORNER_SIZE = 44.0
"""Distance from a corner at which an arrow begins to turn."""
_BRACKET_SIZE = 20.0
"""Maximum length of a bracket's arms."""


def sheet(title: str, description: str, height: float, parts: Iterable[str], definitions: str = "") -> str:
    """Assemble a picture: one `svg` element that stands alone and, with a description, says what it shows.

    Each part and each definition is a line of its own: what a PNG shows of a line is cached by it.
    """
    told = f"<desc>{escape(description)}</desc>" if description else ""
    defs = f"<defs>{definitions}</defs>" if definitions else ""
    lines = "\n".join([rectangle((0, 0, WIDTH, height), "paper", 18), *parts])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="board" role="img" viewBox="0 0 {WIDTH} {number(height)}"'
        ' stroke-linecap="round" stroke-linejoin="round">'
        f"<title>{escape(title)}</title>{told}{defs}"
        f"\n{lines}</svg>"
    )


def definition(name: str, drawn: str) -> str:
    """Define a shape that `use` elements show, on a line of its own."""
    return f'<g id="{name}">{drawn}</g>\n'


@lru_cache(maxsize=1024)
def rectangle(box: Box, fill: str, corner: float = 12) -> str:
    """Fill a rectangle with rounded corners."""
    return f'<rect {tone(fill)} {_box_attributes(box)} rx="{number(corner)}"/>'


@lru_cache(maxsize=1024)
def frame(box: Box, colour: str = "line", thick: float = 1.5, corner: float = 12, dashes: str = "") -> str:
    """Draw the outline of a rectangle."""
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    line = f'{tone(colour)} fill="none" stroke-width="{number(thick)}"{dashed}'
    return f'<rect {line} {_box_attributes(box)} rx="{number(corner)}"/>'


@lru_cache(maxsize=1024)
def last_move(box: Box, thick: float = 4) -> str:
    """Mark what the last move was about: brackets around the corners of a rectangle, in every game the same.

    A touch goes through to what they surround.
    """
    left, top, width, height = box
    arm = min(_BRACKET_SIZE, width / 3, height / 3)
    size, right, bottom = number(arm), number(width - arm), number(height - arm)
    corners = (
        f"M0 {size}V0H{size}M{right} 0H{number(width)}V{size}"
        f"M{number(width)} {bottom}V{number(height)}H{right}M{size} {number(height)}H0V{bottom}"
    )
    place = f"translate({number(left)} {number(top)})"
    line = f'{tone("last")} fill="none" stroke-width="{number(thick)}" pointer-events="none"'
    return f'<path {line} transform="{place}" d="{corners}"/>'


def panel(box: Box, fill: str, corner: float, *, lit: bool = False, thick: float = 4) -> str:
    """Draw a rectangle with its outline, which is thicker and in another colour if it is `lit`."""
    return rectangle(box, fill, corner) + frame(box, "accent" if lit else "line", thick if lit else 2, corner)


def card(box: Box, name: str, *, lit: bool = False, vault: bool = False) -> str:
    """Draw a card with its name in the corner: `lit` if it may be chosen, `vault` if it is a place of safety."""
    left, top, width, height = box
    parts = [rectangle(box, "glow" if lit else "vault" if vault else "card", 16)]
    parts.append(frame(box, "accent", 5, 16) if lit else frame(box, "line", 2, 16))
    if vault:
        parts.append(frame((left + 6, top + 6, width - 12, height - 12), "line", 2, 11))
    parts.append(label(name, left + 20, top + 42, 25, "ink", "start", 1.7))
    return "".join(parts)


def touchable(place: str, drawn: str) -> str:
    """Name a place that can be touched to choose a part of a move, where the page supports it."""
    return f'<g data-place="{place}">{drawn}</g>'


def touchable_parts(place: str, parts: Iterable[str]) -> str:
    """Name a place that has many parts, each a line of its own."""
    return "\n".join([f'<g data-place="{place}">', *parts, "</g>"])


def touch_area(place: str, box: Box) -> str:
    """Return an invisible area that can be touched as a place, where what is drawn there is too small."""
    return f'<rect data-place="{place}" fill="none" pointer-events="all" {_box_attributes(box)}/>'


def arrow(start: Point, bend: Point, end: Point) -> str:
    """Draw an arrow from start to end, round the corner at the bend."""
    before, after = _towards(bend, start), _towards(bend, end)
    turn = degrees(atan2(end[1] - bend[1], end[0] - bend[0]))
    return (
        f'<g {tone("arrow")} fill="none" stroke-width="6">'
        f'<path d="M{_point_text(start)}L{_point_text(before)}'
        f'Q{_point_text(bend)} {_point_text(after)}L{_point_text(end)}"/>'
        f'<path transform="translate({_point_text(end)})rotate({number(turn)})" d="M-14-12L0 0L-14 12"/></g>'
    )


def _towards(bend: Point, point: Point) -> Point:
    far = dist(bend, point)
    part = min(_CORNER_SIZE, far / 2) / far
    return bend[0] + (point[0] - bend[0]) * part, bend[1] + (point[1] - bend[1]) * part


def _point_text(point: Point) -> str:
    return f"{number(point[0])} {number(point[1])}"


@lru_cache(maxsize=256)
def plate(text: str, x: float, y: float, size: float = 20) -> str:
    """Draw a number on a round plate, centred at x and y."""
    return (
        f'<circle {tone("card")} cx="{number(x)}" cy="{number(y)}" r="{number(size * 0.95)}"/>'
        f"{label(text, x, y + size / 2, size, 'ink', 'middle', 1.7)}"
    )


def _box_attributes(box: Box) -> str:
    left, top, width, height = map(number, box)
    return f'x="{left}" y="{top}" width="{width}" height="{height}"'
