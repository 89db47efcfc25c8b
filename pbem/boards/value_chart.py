"""Chart of what a match was worth to each seat, move by move: a line for each, for pages and mails alike.

Lines are told apart by their dashes and by the shapes on them as much as by their colours. On a page, each move is a
column that links to its step.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from math import ceil, floor
from typing import TYPE_CHECKING, TypeVar

from pbem.boards.numbers import number
from pbem.boards.palette import tone
from pbem.boards.player_names import player_label
from pbem.boards.shapes import rectangle
from pbem.boards.stroke_font import fitted_label, label

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

T = TypeVar("T")

WIDTH = 480
"""Width of a chart, less than that of boards: its letters are legible on a phone held upright."""
MAX_COLUMNS = 60
"""Maximum moves of a chart that link to their steps, and corners of a line: each is wide enough to be hit."""
MAX_SHAPES = 8
"""Maximum shapes on a line, by which it is told apart."""

_LEFT, _RIGHT, _PLOT_HEIGHT = 50.0, 464.0, 224.0
_CAPITALS, _NAME_ROW, _AXIS_HEIGHT = 11.0, 30.0, 52.0
_SAMPLE, _LINE = 46.0, 3.0
"""Width of the sample of a line beside its name, and the width of a line."""
_STYLES = (("diamond", ""), ("heart", "9 6"), ("club", "2 6"), ("spade", "14 5 2 5"))
"""Colour and dashes of the line of each seat."""
_SHAPES = (
    '<circle r="5"/>',
    '<rect x="-4.5" y="-4.5" width="9" height="9"/>',
    '<path d="M0 -6L6 5H-6Z"/>',
    '<path d="M0 -7L7 0L0 7L-7 0Z"/>',
)
_ROUND_STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 250, 500)


@dataclass(frozen=True, slots=True)
class Point:
    """What a match was worth to each seat after a move; `number` is that of the move, 0 before the first.

    `title` says the same in words, and `url` is the page of the step.
    """

    number: int
    values: tuple[float, ...]
    title: str = ""
    url: str = ""


@dataclass(frozen=True, slots=True)
class Scale:
    """Range of the values, and the round numbers that are marked on it."""

    least: float
    most: float
    marks: tuple[int, ...]


CHANCES = Scale(0, 100, (0, 25, 50, 75, 100))
"""Scale of chances of 100."""


def points_scale(points: Iterable[Point]) -> Scale:
    """Return the scale of values that are points of the game, with at most six marks."""
    values = [value for point in points for value in point.values]
    least, most = floor(min(values)), ceil(max(values))
    step = next((step for step in _ROUND_STEPS if most - least <= 4 * step), _ROUND_STEPS[-1])
    low, high = floor(least / step), max(ceil(most / step), floor(least / step) + 1)
    return Scale(low * step, high * step, tuple(step * mark for mark in range(low, high + 1)))


def thin_out(points: Sequence[T], most: int = MAX_COLUMNS) -> list[T]:
    """Return at most so many of the points, evenly spaced, with the first and the last."""
    if len(points) <= most:
        return [*points]
    return [points[round(at * (len(points) - 1) / (most - 1))] for at in range(most)]


def chart(points: Sequence[Point], names: tuple[str, ...], scale: Scale, axis: str, you: int | None = None) -> str:
    """Draw a chart as one `svg` element without a description: what surrounds it says the same in words."""
    top = 14 + _NAME_ROW * ceil(len(names) / 2) if len(names) > 1 else 14.0
    height = top + _PLOT_HEIGHT + _AXIS_HEIGHT
    frame = _Frame(top, points[0].number, max(points[-1].number, points[0].number + 1), scale)
    parts = [rectangle((0, 0, WIDTH, height), "paper", 0), *_names(names, you), *_scales(frame, axis)]
    for seat in range(len(names)):
        parts.append(_line(frame, points, seat))
        parts += _shapes(frame, points, seat)
    parts += _columns(frame, points)
    lines = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {number(height)}" aria-hidden="true"'
        f' stroke-linecap="round" stroke-linejoin="round">\n{lines}</svg>'
    )


@dataclass(frozen=True, slots=True)
class _Frame:
    top: float
    first: int
    last: int
    scale: Scale

    def x(self, move: float) -> float:
        return _LEFT + (_RIGHT - _LEFT) * (move - self.first) / (self.last - self.first)

    def y(self, value: float) -> float:
        share = (value - self.scale.least) / (self.scale.most - self.scale.least)
        return self.top + _PLOT_HEIGHT * (1 - min(max(share, 0), 1))


def _names(names: tuple[str, ...], you: int | None) -> Iterator[str]:
    """Draw a sample of each line with the name of its seat; a line alone needs none."""
    if len(names) == 1:
        return
    room = (WIDTH - 20) / 2
    for seat, name in enumerate(names):
        row, column = divmod(seat, 2)
        left, y = 14 + column * room, 18 + row * _NAME_ROW
        yield _stroked(seat, f"M{number(left)} {number(y)}h{number(_SAMPLE)}")
        yield _shape(seat, left + _SAMPLE / 2, y)
        said = player_label(name, seat + 1, you)
        start = left + _SAMPLE + 10
        yield fitted_label(said, start, y + _CAPITALS / 2, _CAPITALS, room - _SAMPLE - 24, "ink", "start")


def _scales(frame: _Frame, axis: str) -> Iterator[str]:
    for mark in frame.scale.marks:
        y = number(frame.y(mark))
        yield f'<path {tone("line")} fill="none" stroke-width="1.5" d="M{number(_LEFT)} {y}H{number(_RIGHT)}"/>'
        yield label(str(mark), _LEFT - 8, frame.y(mark) + _CAPITALS / 2, _CAPITALS, "faint", "end")
    under = frame.top + _PLOT_HEIGHT
    for mark in _move_marks(frame):
        yield label(str(mark), frame.x(mark), under + 8 + _CAPITALS, _CAPITALS, "faint")
    yield label(axis, (_LEFT + _RIGHT) / 2, under + 28 + _CAPITALS, _CAPITALS, "faint")


def _move_marks(frame: _Frame) -> list[int]:
    """Return the moves that are numbered below the chart, at most seven."""
    span = frame.last - frame.first
    step = next((step for step in _ROUND_STEPS if span <= 6 * step), _ROUND_STEPS[-1])
    return [*range(frame.first, frame.last + 1, step)]


def _line(frame: _Frame, points: Sequence[Point], seat: int) -> str:
    corners = [f"{number(frame.x(one.number))} {number(frame.y(one.values[seat]))}" for one in thin_out(points)]
    return _stroked(seat, "M" + "L".join(corners))


def _shapes(frame: _Frame, points: Sequence[Point], seat: int) -> Iterator[str]:
    """Draw the shapes on a line, each seat's at other moves as far as there are enough."""
    count, seats = min(MAX_SHAPES, len(points)), len(points[0].values)
    for place in range(count):
        point = points[floor((place + (seat + 0.5) / seats) * len(points) / count)]
        yield _shape(seat, frame.x(point.number), frame.y(point.values[seat]))


def _columns(frame: _Frame, points: Sequence[Point]) -> Iterator[str]:
    """Draw the links over everything: each reaches halfway to its neighbours."""
    linked = thin_out([point for point in points if point.url])
    xs = [frame.x(point.number) for point in linked]
    for at, point in enumerate(linked):
        left = (xs[at - 1] + xs[at]) / 2 if at else _LEFT - 10
        right = (xs[at] + xs[at + 1]) / 2 if at + 1 < len(xs) else _RIGHT + 10
        place = (
            f'x="{number(left)}" y="{number(frame.top)}" width="{number(right - left)}" height="{number(_PLOT_HEIGHT)}"'
        )
        yield (
            f'<a href="{escape(point.url)}" tabindex="-1"><title>{escape(point.title)}</title>'
            f'<rect class="column" fill="none" pointer-events="all" {place}/></a>'
        )


def _stroked(seat: int, path: str) -> str:
    colour, dashes = _STYLES[seat % len(_STYLES)]
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return f'<path {tone(colour)} fill="none" stroke="currentColor" stroke-width="{number(_LINE)}"{dashed} d="{path}"/>'


def _shape(seat: int, x: float, y: float) -> str:
    colour, shape = _STYLES[seat % len(_STYLES)][0], _SHAPES[seat % len(_SHAPES)]
    return f'<g {tone(colour)} fill="currentColor" transform="translate({number(x)} {number(y)})">{shape}</g>'
