"""Waking: how long the service slept, that nobody may lose time by it, and whether it has caught up since."""

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
"""Whose signs of life these are."""
HELD = "held"
"""The pulse that is there while clocks are held, of when that began."""
SLEPT = timedelta(minutes=1)
"""No sign of life for longer than this means that the service slept."""
LAG = timedelta(minutes=1)
"""While something waits to be judged that came longer ago, no time runs out."""
SOON = timedelta(days=1)
"""Deadlines in this time are put off at once after an outage; later ones when they are looked at."""


def wake(ctx: Context) -> timedelta | None:
    """Note that the clock is alive, and give the players back the time for which it was not; returns how long.

    A clock of the machine that was set back is no outage; one set forward is, and costs nobody a move.
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
    """Tell whether time may run out: the clock beats and is not held, and nothing has waited long to be judged."""
    pulses = select(Pulse.part, Pulse.at).where(Pulse.part.in_([PART, HELD]))
    at = dict(ctx.session.execute(pulses).all())
    if HELD in at or ctx.now - at.get(PART, ctx.now) > SLEPT:
        return False
    since = func.coalesce(Submission.hold_until, Submission.received_at)
    waits = select(Submission.id).where(Submission.status == "pending", since < ctx.now - LAG)
    return ctx.session.scalar(waits.limit(1)) is None
