"""Charts: columns and bars, drawn by leather without any style of their own; the style sheet gives them colours."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import leather
from leather import theme
from markupsafe import Markup

from pbem.play.archive.game_statistics import round_numbers

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH, HEIGHT = 480, 260
"""In units of which a letter is 16 high: what a chart is on a phone that is held upright, and half as large again."""
BAR = 40
"""How high a bar is, with the room between it and the next."""
MARKS = 5
"""A chart has at most so many marks above zero on its scale of numbers."""

theme.background_color = "none"
theme.margin = 0.03
theme.tick_color = theme.zero_color = theme.label_color = theme.axis_title_color = "currentColor"
theme.tick_font_family = theme.axis_title_font_family = "sans-serif"
theme.tick_font_size = theme.tick_font_char_height = theme.axis_title_font_size = theme.axis_title_font_char_height = 16
theme.tick_font_char_width = 9
theme.axis_title_gap = 2


def columns(counted: Sequence[tuple[str, int]], says: str, below: str) -> Markup:
    """Draw how much of each there is as columns; `says` is for those who do not see it, `below` names what they are."""
    chart = leather.Chart()
    top, marks = _scale(max(number for _name, number in counted))
    chart.add_y_scale(0, top)
    chart.add_y_axis(ticks=marks, tick_formatter=_plain)
    chart.add_x_axis(name=below)
    chart.add_columns(list(counted), fill_color="currentColor")
    return _drawn(chart, says, HEIGHT)


def bars(counted: Sequence[tuple[str, int]], says: str) -> Markup:
    """Draw how much of each there is as bars below each other, for names that are long."""
    chart = leather.Chart()
    top, marks = _scale(max(number for _name, number in counted))
    chart.add_x_scale(0, top)
    chart.add_x_axis(ticks=marks, tick_formatter=_plain)
    # What comes first is the lowest for leather.
    chart.add_bars([(number, name) for name, number in counted], fill_color="currentColor")
    return _drawn(chart, says, BAR * (len(counted) + 1))


def _scale(most: int) -> tuple[int, list[int]]:
    """Give the end of a scale, and the round numbers that are marked on it."""
    width = next(width for width in round_numbers() if most <= MARKS * width)
    top = max(-(-most // width), 1) * width
    return top, list(range(0, top + 1, width))


def _plain(value: object, _number: int, _count: int) -> str:
    return str(value)


def _drawn(chart: leather.Chart, says: str, height: int) -> Markup:
    root = ET.Element("svg", {"viewBox": f"0 0 {WIDTH} {height}", "role": "img", "aria-label": says})
    root.append(chart.to_svg_group(WIDTH, height))
    # ElementTree has escaped all that was put into it.
    return Markup(ET.tostring(root, encoding="unicode"))  # noqa: S704 -- drawn by us
