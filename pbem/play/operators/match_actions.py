"""Operators' acts on matches: to pause, extend or abort them. The players are notified, with the reason."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import select

from pbem.db.models import Deadline, LogEntry, Match
from pbem.play.clocks import time_controls
from pbem.play.core.actors import MATCH, OPERATOR, ActionError, ActionResult, Actor
from pbem.play.core.context import Context, timestamp, to_milliseconds
from pbem.play.core.errors import Refused
from pbem.play.lifecycle import acceptance, endings
from pbem.play.matches import seats
from pbem.play.offers import match_pauses, time_extensions
from pbem.play.operators import lookup
from pbem.play.operators.notify import notify_match
from pbem.play.operators.perform import act
from pbem.states import MatchState

MAX_PAUSE_DAYS, MAX_EXTENSION_DAYS = 90, 30
"""Maximum days of a pause, and maximum extra days for one move."""


@act("pause", MATCH)
def pause(ctx: Context, _actor: Actor, match_id: str, reason: str, /, days: int = 30) -> ActionResult:
    """Stop the clocks of a match for at most `days`; moves are accepted all the same."""
    match = _lock_running(ctx, match_id)
    if not 1 <= days <= MAX_PAUSE_DAYS:
        raise ActionError(f"Clocks can be stopped for one to {MAX_PAUSE_DAYS} days.")
    if not time_controls.control_for(match.time_control).runs:
        raise ActionError("This match has no clock, so there is nothing to stop.")
    if until := match_pauses.end_time(ctx, match):
        message = f"The clocks of match {match.id} are already stopped until {timestamp(until)}."
        return ActionResult(message, changed=False)
    until = match_pauses.start(ctx, match, by=OPERATOR, lasting=timedelta(days=days))
    notify_match(ctx, match, "paused", reason, until=until.isoformat())
    return ActionResult(
        f"The clocks of match {match.id} are stopped until {timestamp(until)}; its players are notified."
    )


@act("resume", MATCH)
def resume(ctx: Context, _actor: Actor, match_id: str, reason: str, /) -> ActionResult:
    """Resume the clocks of a match."""
    match = _lock_running(ctx, match_id)
    try:
        match_pauses.end(ctx, match, OPERATOR)
    except Refused:
        return ActionResult(f"The clocks of match {match.id} are not stopped.", changed=False)
    notify_match(ctx, match, "resumed", reason)
    return ActionResult(f"The clocks of match {match.id} run again; its players are notified.")


@act("extend", MATCH)
def extend(ctx: Context, _actor: Actor, match_id: str, reason: str, /, seat: int, days: int) -> ActionResult:
    """Grant a seat `days` extra for its current move, in total: to repeat the act adds nothing."""
    match = _lock_running(ctx, match_id)
    if not 1 <= days <= MAX_EXTENSION_DAYS:
        raise ActionError(f"A move can get one to {MAX_EXTENSION_DAYS} extra days.")
    if seat not in match.to_move:
        raise ActionError(f"Seat {seat} is not to move. To move: {', '.join(map(str, match.to_move))}.")
    if not time_controls.control_for(match.time_control).runs:
        raise ActionError("This match has no clock, so nobody needs more time.")
    before = _extension_days(ctx, match, seat)
    if days <= before:
        message = f"Seat {seat} of match {match.id} already has {_format_days(before)} extra for this move."
        return ActionResult(message, changed=False)
    time_extensions.extend(ctx, match, seat, days - before, by=OPERATOR)
    notify_match(ctx, match, "extended", reason, whose=seat, days=days - before)
    message = f"Seat {seat} of match {match.id} has {_format_days(days)} extra for this move; its players are notified."
    return ActionResult(message, detail={"seat": seat, "days": days - before})


@act("abort", MATCH)
def abort(ctx: Context, _actor: Actor, match_id: str, reason: str, /) -> ActionResult:
    """Abort a match, started or not: nobody wins or loses, and it does not count."""
    match = lookup.lock_match(ctx, match_id)
    if match.state == MatchState.OVER:
        if match.result and match.result["ending"] == "aborted":
            return ActionResult(f"Match {match.id} is already aborted.", changed=False)
        raise ActionError("The match is over, and its result cannot change.")
    if match.state == MatchState.RUNNING:
        endings.abort(ctx, match, by=OPERATOR, operated=reason)
    else:
        acceptance.cancel(ctx, match, seat=None, by=OPERATOR, detail={})
        acceptance.notify_cancelled(ctx, match, seats.holders(ctx, match), operated=reason)
    return ActionResult(f"Match {match.id} is aborted, and does not count; its players are notified.")


def _lock_running(ctx: Context, match_id: str) -> Match:
    match = lookup.lock_match(ctx, match_id)
    if match.state != MatchState.RUNNING:
        raise ActionError("The match is over." if match.state == MatchState.OVER else "The match has not started.")
    return match


def _extension_days(ctx: Context, match: Match, seat: int) -> int:
    """Count the days that operators have given a seat for its current move."""
    asked_at = ctx.session.get_one(Deadline, (match.id, seat), populate_existing=True).asked_at
    given = select(LogEntry.detail).where(
        LogEntry.match_id == match.id,
        LogEntry.event == "extended",
        LogEntry.seat == seat,
        LogEntry.by == OPERATOR,
        LogEntry.logged_at >= to_milliseconds(asked_at),
    )
    return sum(int(detail["hours"]) for detail in ctx.session.scalars(given) if detail) // 24


def _format_days(count: int) -> str:
    return "one day" if count == 1 else f"{count} days"
