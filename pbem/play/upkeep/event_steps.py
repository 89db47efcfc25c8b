"""What is due for events: each step is a transaction of its own, and is repeated while it returns that there is more.

A step takes locks of its own, so that of several workers one does the work.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.play.events import field_calendar, field_end, field_start
from pbem.play.upkeep import deal_openings

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pbem.play.core.context import Context

MAX_BATCHES = 100
"""Maximum repetitions of a step in one task."""

STEPS: Sequence[Callable[[Context], bool]] = (
    field_end.call_off_due,
    deal_openings.open_due,
    field_end.finish_due,
    field_start.begin_due,
    field_calendar.open_due,
)
"""The steps, in order: each does a batch of what is due, and returns whether there may be more."""
