"""Detection of outages, so that nobody loses time by them, and of whether the service has caught up since."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from pbem.db.models import ClockPause, Deadline, Heartbeat, Submission
from pbem.db.session import call_after_commit
from pbem.play.deadlines import turn_deadlines
from pbem.play.upkeep import sweeper
from pbem.states import PauseReason, SubmissionStatus

if TYPE_CHECKING:
    from pbem.play.core.context import Context

log = logging.getLogger(__name__)

CLOCK_HEARTBEAT = "clock"
"""Name of the clock's heartbeat."""
HELD_HEARTBEAT = "held"
"""Name of the heartbeat that exists while clocks are stopped, with the time since when."""
OUTAGE_AFTER = timedelta(minutes=1)
"""Time without a heartbeat after which there was an outage."""
MAX_LAG = timedelta(minutes=1)
"""Age of a pending submission from which no time runs out."""
POSTPONE_WITHIN = timedelta(days=1)
"""Deadlines within this time are postponed at once after an outage; later ones at their next check."""


def record_clock_heartbeat(ctx: Context) -> timedelta | None:
    """Record a heartbeat of the clock; after an outage, give the players the time back and return its length.

    A system clock that was set back is no outage; one that was set forward is, and costs nobody a move.
    """
    last = ctx.session.scalar(select(Heartbeat.seen_at).where(Heartbeat.part == CLOCK_HEARTBEAT).with_for_update())
    sweeper.record_heartbeat(ctx, CLOCK_HEARTBEAT)
    if last is None or ctx.now - last <= OUTAGE_AFTER:
        return None
    ctx.session.add(ClockPause(reason=PauseReason.OUTAGE.value, started_at=last, ended_at=ctx.now))
    turn_deadlines.recompute_soon(ctx, Deadline.due_at < ctx.now + POSTPONE_WITHIN)
    length = ctx.now - last
    call_after_commit(ctx.session, log.warning, "the service slept for %s; everybody is given the time back", length)
    return length


def may_time_run_out(ctx: Context) -> bool:
    """Return whether time may run out: the clock is alive and not stopped, and no submission waits too long."""
    heartbeats = select(Heartbeat.part, Heartbeat.seen_at).where(Heartbeat.part.in_([CLOCK_HEARTBEAT, HELD_HEARTBEAT]))
    at = dict(ctx.session.execute(heartbeats).all())
    if HELD_HEARTBEAT in at or ctx.now - at.get(CLOCK_HEARTBEAT, ctx.now) > OUTAGE_AFTER:
        return False
    since = func.coalesce(Submission.hold_until, Submission.received_at)
    waits = select(Submission.id).where(Submission.status == SubmissionStatus.PENDING, since < ctx.now - MAX_LAG)
    return ctx.session.scalar(waits.limit(1)) is None
