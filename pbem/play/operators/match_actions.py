"""Operators' acts on matches: to pause, extend or abort them. The players are told, with the reason."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.db.models import Deadline, LogEntry
from pbem.play.clocks import time_controls
from pbem.play.core.actors import MATCH, OPERATOR, ActionError, ActionResult, Actor
from pbem.play.core.context import timestamp, to_milliseconds
from pbem.play.core.errors import Refused
from pbem.play.lifecycle import acceptance, endings
from pbem.play.matches import seats
from pbem.play.offers import match_pauses, time_extensions
from pbem.play.operators import lookup
from pbem.play.operators.notify import notify_match
from pbem.play.operators.perform import act
from pbem.states import MatchState

if TYPE_CHECKING:
    from pbem.db.models import Match
    from pbem.play.core.context import Context

MAX_PAUSE_DAYS, MAX_EXTENSION_DAYS = 90, 30
"""Maximum days of a pause, and maximum extra days for one move."""


@act("pause", MATCH)
def pause(ctx: Context, _actor: Actor, match_id: str, reason: str, /, days: int = 30) -> ActionResult:
    """Stop the clocks of a match for at most `days`; moves are accepted all the same."""
    match = _lock_running(ctx, match_id)
    if not 1 <= days <= MAX_PAUSE_DAYS:
        raise ActionError(f"The clocks may be stopped for one to {MAX_PAUSE_DAYS} days.")
    if not time_controls.control_for(match.time_control).runs:
        raise ActionError("This match has no clock, so there is nothing to stop.")
    if until := match_pauses.end_time(ctx, match):
        return ActionResult(
            f"The clocks of match {match.id} are stopped already, until {timestamp(until)}.", changed=False
        )
    until = match_pauses.start(ctx, match, by=OPERATOR, lasting=timedelta(days=days))
    notify_match(ctx, match, "paused", reason, until=until.isoformat())
    return ActionResult(f"The clocks of match {match.id} are stopped until {timestamp(until)}; the table is told.")


@act("resume", MATCH)
def resume(ctx: Context, _actor: Actor, match_id: str, reason: str, /) -> ActionResult:
    """Resume the clocks of a match."""
    match = _lock_running(ctx, match_id)
    try:
        match_pauses.end(ctx, match, OPERATOR)
    except Refused:
        return ActionResult(f"The clocks of match {match.id} are not stopped.", changed=False)
    notify_match(ctx, match, "resumed", reason)
    return ActionResult(f"The clocks of match {match.id} go on; the table is told.")


@act("extend", MATCH)
def extend(ctx: Context, _actor: Actor, match_id: str, reason: str, /, seat: int, days: int) -> ActionResult:
    """Grant a seat `days` extra for its current move, in total: to repeat the act adds nothing."""
    match = _lock_running(ctx, match_id)
    if not 1 <= days <= MAX_EXTENSION_DAYS:
        raise ActionError(f"One to {MAX_EXTENSION_DAYS} days may be given for one move.")
    if seat not in match.to_move:
        raise ActionError(f"Seat {seat} is not to move; those who are: {', '.join(map(str, match.to_move))}.")
    if not time_controls.control_for(match.time_control).runs:
        raise ActionError("This match has no clock: everybody takes the time that they need.")
    before = _extension_days(ctx, match, seat)
    if days <= before:
        said = f"Seat {seat} of match {match.id} has been given {_format_days(before)} for this move already."
        return ActionResult(said, changed=False)
    time_extensions.extend(ctx, match, seat, days - before, by=OPERATOR)
    notify_match(ctx, match, "extended", reason, whose=seat, days=days - before)
    said = f"Seat {seat} of match {match.id} has {_format_days(days)} on top for this move; the table is told."
    return ActionResult(said, detail={"seat": seat, "days": days - before})


@act("abort", MATCH)
def abort(ctx: Context, _actor: Actor, match_id: str, reason: str, /) -> ActionResult:
    """Abort a match, started or not: nobody wins or loses, and it does not count."""
    match = lookup.lock_match(ctx, match_id)
    if match.state == MatchState.OVER:
        if match.result and match.result["ending"] == "aborted":
            return ActionResult(f"Match {match.id} was called off already.", changed=False)
        raise ActionError("The match is over, and stays as it ended.")
    if match.state == MatchState.RUNNING:
        endings.abort(ctx, match, by=OPERATOR, operated=reason)
    else:
        acceptance.cancel(ctx, match, seat=None, by=OPERATOR, detail={})
        acceptance.notify_cancelled(ctx, match, seats.holders(ctx, match), operated=reason)
    return ActionResult(f"Match {match.id} is called off, and counts for nobody; the table is told.")


def _lock_running(ctx: Context, match_id: str) -> Match:
    match = lookup.lock_match(ctx, match_id)
    if match.state != MatchState.RUNNING:
        raise ActionError("The match is over." if match.state == MatchState.OVER else "The match has not begun.")
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
