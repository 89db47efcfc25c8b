"""What is due for events: each step is a transaction of its own, and is repeated while it returns that there is more.

A step takes locks of its own, so that of several workers one does the work.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.play.events import field_calendar, field_end, field_start
from pbem.play.ladders import due, open_ladders, settling
from pbem.play.leagues import draws, running, seasons
from pbem.play.upkeep import deal_openings, outages
from pbem.play.weekly import steps as weekly_steps

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pbem.play.core.context import Context

MAX_BATCHES = 100
"""Maximum repetitions of a step in one task."""


def _lapse_challenges(ctx: Context) -> bool:
    """End challenges that nobody has answered in time, unless no time may run out now."""
    return outages.may_time_run_out(ctx) and due.lapse(ctx)


STEPS: Sequence[Callable[[Context], bool]] = (
    field_end.call_off_due,
    deal_openings.open_due,
    field_end.finish_due,
    field_start.begin_due,
    field_calendar.open_due,
    open_ladders.open_missing,
    settling.settle_due,
    due.remind,
    _lapse_challenges,
    due.end_absences,
    due.remove_departed,
    draws.draw_due,
    draws.arrange_due,
    seasons.open_due,
    running.begin_due,
    seasons.release_waiting,
    running.settle_due,
    running.end_due,
    weekly_steps.create_due,
    weekly_steps.deal_due,
    weekly_steps.begin_due,
    weekly_steps.count_people,
)
"""The steps, in order: each does a batch of what is due, and returns whether there may be more."""
