"""The chart of looking back, for pages with links to the steps of the replay, and for mails without."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.boards.value_chart import CHANCES, Point, chart, points_scale
from pbem.i18n import _
from pbem.play.analysis import looking_back_words as words

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.play.analysis.looking_back import ChartPoint, LookingBack


def draw(
    found: LookingBack, names: tuple[str, ...], you: int | None = None, url: Callable[[int], str] | None = None
) -> str:
    """Draw the chart of a match; `url` returns the page of a step, `you` is the seat of the reader."""
    points = [_point(found, one, names, url) for one in found.chart]
    scale = points_scale(points) if found.in_points else CHANCES
    return chart(points, names, scale, _("Move"), you)


def _point(found: LookingBack, one: ChartPoint, names: tuple[str, ...], url: Callable[[int], str] | None) -> Point:
    step = found.steps.get(one.ply)
    if url is None or step is None:
        return Point(one.ply, one.values)
    return Point(one.ply, one.values, words.chart_point(one, names), url(step))
