"""Agreed pauses: the clocks of a match stop for a while; players may still move."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.db.models import ClockPause, LogEntry
from pbem.i18n import _
from pbem.play.clocks import time_controls
from pbem.play.clocks.calculation import HOUR, ZERO
from pbem.play.core import match_features
from pbem.play.core.actors import OPERATOR
from pbem.play.core.errors import Refused
from pbem.play.deadlines import turn_deadlines
from pbem.play.matches import seats
from pbem.play.matches.match_state import append_event
from pbem.states import PauseReason

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.db.models import Match
    from pbem.play.core.context import Context

MAX_DURATION = timedelta(days=30)
"""Maximum length of a pause, so that no match stands still for ever."""


def end_time(ctx: Context, match: Match) -> datetime | None:
    """Return when the pause of a match ends on its own; None without a pause."""
    pause = _current_pause(ctx, match)
    return pause.ended_at if pause else None


def check_possible(ctx: Context, match: Match) -> None:
    """Raise Refused if a match has no clock, is paused already, or was paused for as long as its clock allows."""
    clock = time_controls.control_for(match.time_control)
    if not clock.runs:
        raise Refused(_("This match has no clocks, so there is nothing to stop."))
    if _current_pause(ctx, match):
        raise Refused(_("The clocks of this match are already stopped."))
    if clock.max_paused is not None and longest(ctx, match) < HOUR:
        raise Refused(
            _("The clocks of this match were stopped for {days} days, the maximum.", days=clock.max_paused.days)
        )


def longest(ctx: Context, match: Match) -> timedelta:
    """Return for how long a match can be paused by agreement; some clocks limit all its pauses together."""
    most = time_controls.control_for(match.time_control).max_paused
    if most is None:
        return MAX_DURATION
    pauses = ClockPause.match_id == match.id, ClockPause.reason == PauseReason.PAUSED.value
    rows = ctx.session.execute(select(ClockPause.started_at, ClockPause.ended_at).where(*pauses))
    paused = sum(((ended or ctx.now) - started for started, ended in rows), ZERO)
    return max(min(most - paused, MAX_DURATION), ZERO)


def start(ctx: Context, match: Match, by: str = "table", lasting: timedelta | None = None) -> datetime:
    """Stop the clocks of a match, by agreement for as long as it can be; returns when they resume on their own."""
    lasting = longest(ctx, match) if lasting is None else lasting
    append_event(ctx, match, "paused", seat=None, by=by)
    end = ctx.now + lasting
    ctx.session.add(ClockPause(reason=PauseReason.PAUSED.value, match_id=match.id, started_at=ctx.now, ended_at=end))
    _shift_deadlines(ctx, match, lasting)
    return end


def end(ctx: Context, match: Match, by: str) -> None:
    """Resume the clocks of a match; raises Refused if they run, or if only an operator may resume them."""
    pause = _current_pause(ctx, match)
    if pause is None or pause.ended_at is None:
        raise Refused(_("The clocks of this match are not stopped."))
    stops = select(LogEntry.by).where(LogEntry.match_id == match.id, LogEntry.event == "paused")
    paused_by = ctx.session.scalar(stops.order_by(LogEntry.number.desc()).limit(1))
    if paused_by == OPERATOR != by:
        raise Refused(_("The operator has stopped these clocks. Only they can restart them."))
    append_event(ctx, match, "resumed", seat=None, by=by)
    left, pause.ended_at = pause.ended_at - ctx.now, ctx.now
    _shift_deadlines(ctx, match, -left)


def _current_pause(ctx: Context, match: Match) -> ClockPause | None:
    if not match_features.load(ctx, match.id).paused:
        return None
    mine = ClockPause.match_id == match.id, ClockPause.reason == PauseReason.PAUSED.value, ClockPause.ended_at > ctx.now
    return ctx.session.scalar(select(ClockPause).where(*mine).limit(1))


def _shift_deadlines(ctx: Context, match: Match, by: timedelta) -> None:
    """Recompute all deadlines of a match, and shift the ends of phases that have begun."""
    ctx.session.flush()
    holders = {holder.seat: holder for holder in seats.holders(ctx, match)}
    for row in turn_deadlines.for_match(ctx, match):
        if row.phase_ends_at:
            row.phase_ends_at += by
            turn_deadlines.update_next_action(row)
        else:
            turn_deadlines.update_times(ctx, match, holders[row.seat], row)
