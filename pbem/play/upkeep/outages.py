"""Detection of outages, so that nobody loses time by them, and of whether the service has caught up since."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from pbem.db.models import Deadline, Pulse, Standstill, Submission
from pbem.db.session import once_committed
from pbem.play.deadlines import turn_deadlines
from pbem.play.upkeep import sweeper
from pbem.states import PauseReason

if TYPE_CHECKING:
    from pbem.play.core.context import Context

log = logging.getLogger(__name__)

PART = "clock"
"""Name of the clock's pulse."""
HELD = "held"
"""Name of the pulse that exists while clocks are stopped, with the time since when."""
SLEPT = timedelta(minutes=1)
"""Time without a pulse after which there was an outage."""
LAG = timedelta(minutes=1)
"""Age of a pending submission from which no time runs out."""
SOON = timedelta(days=1)
"""Deadlines within this time are postponed at once after an outage; later ones at their next check."""


def wake(ctx: Context) -> timedelta | None:
    """Record a pulse of the clock; after an outage, give the players the time back and return its length.

    A system clock that was set back is no outage; one that was set forward is, and costs nobody a move.
    """
    last = ctx.session.scalar(select(Pulse.at).where(Pulse.part == PART).with_for_update())
    sweeper.beat(ctx, PART)
    if last is None or ctx.now - last <= SLEPT:
        return None
    ctx.session.add(Standstill(why=PauseReason.OUTAGE.value, begin_at=last, end_at=ctx.now))
    turn_deadlines.look_again(ctx, Deadline.due_at < ctx.now + SOON)
    slept = ctx.now - last
    once_committed(ctx.session, log.warning, "the service slept for %s; everybody is given the time back", slept)
    return slept


def awake(ctx: Context) -> bool:
    """Return whether time may run out: the clock is alive and not stopped, and no submission waits too long."""
    pulses = select(Pulse.part, Pulse.at).where(Pulse.part.in_([PART, HELD]))
    at = dict(ctx.session.execute(pulses).all())
    if HELD in at or ctx.now - at.get(PART, ctx.now) > SLEPT:
        return False
    since = func.coalesce(Submission.hold_until, Submission.received_at)
    waits = select(Submission.id).where(Submission.status == "pending", since < ctx.now - LAG)
    return ctx.session.scalar(waits.limit(1)) is None
