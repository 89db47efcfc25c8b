"""What is due for events: each step is a transaction of its own, and is repeated while it returns that there is more.

A step takes locks of its own, so that of several workers one does the work.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.play.ladders import due, open_ladders, settling

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pbem.play.core.context import Context

MAX_BATCHES = 100
"""Maximum repetitions of a step in one task."""

STEPS: Sequence[Callable[[Context], bool]] = (
    open_ladders.open_missing,
    settling.settle_due,
    due.remind,
    due.lapse,
    due.end_absences,
    due.remove_departed,
)
"""The steps, in order: each does a batch of what is due, and returns whether there may be more."""
