"""Column, bar and line charts, drawn by leather without any style; the style sheet adds the colours."""

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
"""Size of a chart, in units of which a letter is 16 high: 1.5 times its size on a phone held upright."""
BAR_HEIGHT = 40
"""Height of a bar, with the gap to the next."""
MAX_TICKS = 5
"""Maximum marks above zero on the scale of numbers."""

theme.background_color = "none"
theme.margin = 0.03
theme.tick_color = theme.zero_color = theme.label_color = theme.axis_title_color = "currentColor"
theme.tick_font_family = theme.axis_title_font_family = "sans-serif"
theme.tick_font_size = theme.tick_font_char_height = theme.axis_title_font_size = theme.axis_title_font_char_height = 16
theme.tick_font_char_width = 9
theme.axis_title_gap = 2


def columns(counted: Sequence[tuple[str, int]], label: str, axis_title: str) -> Markup:
    """Render counts as columns; `label` is the text alternative."""
    chart = leather.Chart()
    top, marks = _scale(max(number for _name, number in counted))
    chart.add_y_scale(0, top)
    chart.add_y_axis(ticks=marks, tick_formatter=_format_tick)
    chart.add_x_axis(name=axis_title)
    chart.add_columns(list(counted), fill_color="currentColor")
    return _render(chart, label, HEIGHT)


def bars(counted: Sequence[tuple[str, int]], label: str) -> Markup:
    """Render counts as horizontal bars, for names that are long."""
    chart = leather.Chart()
    top, marks = _scale(max(number for _name, number in counted))
    chart.add_x_scale(0, top)
    chart.add_x_axis(ticks=marks, tick_formatter=_format_tick)
    # leather draws the first bar lowest.
    chart.add_bars([(number, name) for name, number in counted], fill_color="currentColor")
    return _render(chart, label, BAR_HEIGHT * (len(counted) + 1))


def line(values: Sequence[int], label: str, axis_title: str) -> Markup:
    """Render two or more numbers as a line, in order; the scale begins near the smallest."""
    chart = leather.Chart()
    step = next(width for width in round_numbers() if max(values) - min(values) <= MAX_TICKS * width)
    marks = list(range(min(values) // step * step, max(values) + step, step))
    chart.add_y_scale(marks[0], max(marks[-1], marks[0] + step))
    chart.add_y_axis(ticks=marks, tick_formatter=_format_tick)
    chart.add_x_scale(1, len(values))
    chart.add_x_axis(ticks=[1, len(values)], tick_formatter=_format_tick, name=axis_title)
    chart.add_line(list(enumerate(values, 1)), stroke_color="currentColor")
    return _render(chart, label, HEIGHT)


def _scale(most: int) -> tuple[int, list[int]]:
    """Return the end of a scale, and the round numbers marked on it."""
    width = next(width for width in round_numbers() if most <= MAX_TICKS * width)
    top = max(-(-most // width), 1) * width
    return top, list(range(0, top + 1, width))


def _format_tick(value: object, _number: int, _count: int) -> str:
    return str(value)


def _render(chart: leather.Chart, label: str, height: int) -> Markup:
    root = ET.Element("svg", {"viewBox": f"0 0 {WIDTH} {height}", "role": "img", "aria-label": label})
    root.append(chart.to_svg_group(WIDTH, height))
    # ElementTree has escaped everything.
    return Markup(ET.tostring(root, encoding="unicode"))  # noqa: S704 -- drawn by us
