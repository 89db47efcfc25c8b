"""What is due for events: each step is a transaction of its own, and is repeated while it returns that there is more.

A step takes locks of its own, so that of several workers one does the work.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.play.upkeep import deal_openings
from pbem.play.weekly import steps as weekly_steps

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pbem.play.core.context import Context

MAX_BATCHES = 100
"""Maximum repetitions of a step in one task."""

STEPS: Sequence[Callable[[Context], bool]] = (
    draws.draw_due,
    draws.arrange_due,
    seasons.open_due,
    running.begin_due,
    seasons.release_waiting,
    running.settle_due,
    running.end_due,
)
"""The steps, in order: each does a batch of what is due, and returns whether there may be more."""
