"""Pyramids in profile, alone and stacked, each with its letter and one to three pips."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from pbem.boards.numbers import number
from pbem.boards.palette import tone
from pbem.boards.shapes import definition
from pbem.boards.stroke_font import strokes, text_width
from pbem.games.pyramids import COLOUR_NAMES

if TYPE_CHECKING:
    from collections.abc import Sequence

NO_COLOUR = "N"
"""Letter of no colour, for a pyramid that stands for its size alone."""
NO_SIZE = "0"
"""Size of a pyramid that stands for its colour alone; it has no pips."""

_TONES = {**COLOUR_NAMES, NO_COLOUR: "plain"}
_BASE_WIDTH = {NO_SIZE: 50.0, "1": 50.0, "2": 64.0, "3": 78.0}
_HEIGHT = {NO_SIZE: 60.0, "1": 60.0, "2": 78.0, "3": 94.0}
_LETTER_HEIGHT = {NO_SIZE: 19.0, "1": 19.0, "2": 22.0, "3": 25.0}
_STEP_HEIGHT = {"32": 39.0, "31": 44.0, "21": 35.0}
_NEAR_EDGE = 0.24
"""Position of the near edge, as a fraction of the base to the right of the middle."""


def split_stack(stack: Any) -> tuple[str, ...]:
    """Split a stack, written as a list or as `R3/G2/R1`, into its pyramids."""
    return tuple(stack.split("/")) if isinstance(stack, str) else tuple(stack)


def stack_width(stack: Sequence[str]) -> float:
    """Return the width of a stack, which is that of its lowest pyramid."""
    return _BASE_WIDTH[stack[0][1]]


def stack_height(stack: Sequence[str]) -> float:
    """Return the height of a stack."""
    return _step_heights(stack)[-1] + _HEIGHT[stack[-1][1]]


def pyramid_place(place: str, pyramid: str) -> str:
    """Return the name of a pyramid's place, by which it can be touched."""
    return f"{place} {pyramid}"


class Pyramids:
    """Pyramids of one picture; each kind that is drawn is defined once.

    `prefix` keeps two pictures on one page apart.
    """

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self._kinds: set[str] = set()

    def stack(self, stack: Sequence[str], x: float, y: float, scale: float = 1, place: str = "") -> str:
        """Draw a stack standing on the line y, centred at x; with a `place`, each pyramid there can be touched."""
        self._kinds.update(stack)
        return _stack(self._prefix, tuple(stack), x, y, scale, place)

    def definitions(self) -> str:
        """Return the definition of every kind of pyramid that was drawn."""
        return "".join([definition(f"{self._prefix}-{kind}", _pyramid(kind)) for kind in sorted(self._kinds)])


@lru_cache(maxsize=2048)
def _stack(prefix: str, stack: tuple[str, ...], x: float, y: float, scale: float, place: str) -> str:
    uses = []
    for pyramid, step in zip(stack, _step_heights(stack), strict=True):
        up = f' y="{number(-step)}"' if step else ""
        touch = f' data-place="{pyramid_place(place, pyramid)}"' if place else ""
        uses.append(f'<use href="#{prefix}-{pyramid}"{up}{touch}/>')
    size = "" if scale == 1 else f"scale({number(scale, 2)})"
    return f'<g transform="translate({number(x)} {number(y)}){size}">{"".join(uses)}</g>'


def icon(stack: Sequence[str]) -> str:
    """Draw a stack as a small picture of its own, to stand in a line of text."""
    wide, high = stack_width(stack) + 4, stack_height(stack) + 4
    drawn = "".join(
        f'<g transform="translate(0 {number(-step)})">{_pyramid(pyramid)}</g>'
        for pyramid, step in zip(stack, _step_heights(stack), strict=True)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="icon" aria-hidden="true" height="{number(high / 3)}"'
        f' width="{number(wide / 3)}" viewBox="{number(-wide / 2)} {number(2 - high)} {number(wide)} {number(high)}"'
        f' stroke-linecap="round" stroke-linejoin="round">{drawn}</svg>'
    )


def _step_heights(stack: Sequence[str]) -> list[float]:
    steps = [0.0]
    for below, above in pairwise(stack):
        steps.append(steps[-1] + _STEP_HEIGHT[below[1] + above[1]])
    return steps


@lru_cache
def _pyramid(kind: str) -> str:
    colour, size = kind[0], kind[1]
    name, base, high, letter = _TONES[colour], _BASE_WIDTH[size], _HEIGHT[size], _LETTER_HEIGHT[size]
    near, left, right = base * _NEAR_EDGE, -base / 2, base / 2
    rise, back = base * 0.04, base * 0.09
    top = f"L0 {number(-high)}"
    face = f"M{number(left)} {number(-rise)}L{number(near)} 0{top}z"
    side = f"M{number(near)} 0L{number(right)} {number(-back)}{top}z"
    # The face leans: its middle at half the letter's height is nearer to the tip than at the ground.
    text = "" if colour == NO_COLOUR else colour
    lift = 5.0
    middle = (left + near) / 2 * (1 - (lift + letter / 2) / high)
    place = f"translate({number(middle - text_width(text, letter) / 2)} {number(-lift)})scale({number(letter / 10, 2)})"
    marks = f'<path transform="{place}" stroke-width="1.7" d="{strokes(text)}"/>' if text else ""
    heights = [8.5 * pip for pip in range(1, int(size) + 1)]
    pips = "".join(f"M{number((near + right) / 2 * (1 - at / high))} {number(-at - 1)}h.01" for at in heights)
    if pips:
        marks += f'<path stroke-width="5.4" d="{pips}"/>'
    return (
        f'<path {tone(name)} d="{face}"/><path {tone(f"{name}-side")} d="{side}"/>'
        f'<g {tone(f"{name}-edge")} fill="none" stroke-width="1.6"><path d="{face}"/><path d="{side}"/></g>'
        f'<g {tone(f"{name}-mark")} fill="none">{marks}</g>'
    )
