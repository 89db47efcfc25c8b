"""Operators' acts on matches: to pause, extend or abort them. The players are told, with the reason."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.db.models import Deadline, LogEntry
from pbem.play.clocks import time_controls
from pbem.play.core.actors import MATCH, OPERATOR, ActError, Actor, Done
from pbem.play.core.context import timestamp, to_milliseconds
from pbem.play.lifecycle import create, endings
from pbem.play.matches import seats
from pbem.play.offers import match_pauses, time_extensions
from pbem.play.offers.open_offers import OfferError
from pbem.play.operators import lookup
from pbem.play.operators.notify import to_table
from pbem.play.operators.perform import act
from pbem.states import MatchState

if TYPE_CHECKING:
    from pbem.db.models import Match
    from pbem.play.core.context import Context

LONGEST_PAUSE, MOST_DAYS = 90, 30
"""Maximum days of a pause, and maximum extra days for one move."""


@act("pause", MATCH)
def pause(ctx: Context, _actor: Actor, match_id: str, reason: str, /, days: int = 30) -> Done:
    """Stop the clocks of a match for at most `days`; moves are accepted all the same."""
    match = _running(ctx, match_id)
    if not 1 <= days <= LONGEST_PAUSE:
        raise ActError(f"The clocks may be stopped for one to {LONGEST_PAUSE} days.")
    if not time_controls.settings(match.clock).runs:
        raise ActError("This match has no clock, so there is nothing to stop.")
    if until := match_pauses.until(ctx, match):
        return Done(f"The clocks of match {match.id} are stopped already, until {timestamp(until)}.", changed=False)
    until = match_pauses.begin(ctx, match, by=OPERATOR, lasting=timedelta(days=days))
    to_table(ctx, match, "paused", reason, until=until.isoformat())
    return Done(f"The clocks of match {match.id} are stopped until {timestamp(until)}; the table is told.")


@act("resume", MATCH)
def resume(ctx: Context, _actor: Actor, match_id: str, reason: str, /) -> Done:
    """Resume the clocks of a match."""
    match = _running(ctx, match_id)
    try:
        match_pauses.end(ctx, match, OPERATOR)
    except OfferError:
        return Done(f"The clocks of match {match.id} are not stopped.", changed=False)
    to_table(ctx, match, "resumed", reason)
    return Done(f"The clocks of match {match.id} go on; the table is told.")


@act("extend", MATCH)
def extend(ctx: Context, _actor: Actor, match_id: str, reason: str, /, seat: int, days: int) -> Done:
    """Grant a seat `days` extra for its current move, in total: to repeat the act adds nothing."""
    match = _running(ctx, match_id)
    if not 1 <= days <= MOST_DAYS:
        raise ActError(f"One to {MOST_DAYS} days may be given for one move.")
    if seat not in match.to_move:
        raise ActError(f"Seat {seat} is not to move; those who are: {', '.join(map(str, match.to_move))}.")
    if not time_controls.settings(match.clock).runs:
        raise ActError("This match has no clock: everybody takes the time that they need.")
    before = _given(ctx, match, seat)
    if days <= before:
        said = f"Seat {seat} of match {match.id} has been given {_days(before)} for this move already."
        return Done(said, changed=False)
    time_extensions.extend(ctx, match, seat, days - before, by=OPERATOR)
    to_table(ctx, match, "extended", reason, whose=seat, days=days - before)
    said = f"Seat {seat} of match {match.id} has {_days(days)} on top for this move; the table is told."
    return Done(said, detail={"seat": seat, "days": days - before})


@act("abort", MATCH)
def abort(ctx: Context, _actor: Actor, match_id: str, reason: str, /) -> Done:
    """Abort a match, started or not: nobody wins or loses, and it does not count."""
    match = lookup.locked_match(ctx, match_id)
    if match.state == MatchState.OVER:
        if match.result and match.result["ending"] == "aborted":
            return Done(f"Match {match.id} was called off already.", changed=False)
        raise ActError("The match is over, and stays as it ended.")
    if match.state == MatchState.RUNNING:
        endings.abort(ctx, match, by=OPERATOR, operated=reason)
    else:
        create.call_off(ctx, match, seat=None, by=OPERATOR, detail={})
        create.tell_called_off(ctx, match, seats.holders(ctx, match), operated=reason)
    return Done(f"Match {match.id} is called off, and counts for nobody; the table is told.")


def _running(ctx: Context, match_id: str) -> Match:
    match = lookup.locked_match(ctx, match_id)
    if match.state != MatchState.RUNNING:
        raise ActError("The match is over." if match.state == MatchState.OVER else "The match has not begun.")
    return match


def _given(ctx: Context, match: Match, seat: int) -> int:
    """Count the days that operators have given a seat for its current move."""
    asked_at = ctx.session.get_one(Deadline, (match.id, seat), populate_existing=True).asked_at
    given = select(LogEntry.detail).where(
        LogEntry.match_id == match.id,
        LogEntry.event == "extended",
        LogEntry.seat == seat,
        LogEntry.by == OPERATOR,
        LogEntry.at >= to_milliseconds(asked_at),
    )
    return sum(int(detail["hours"]) for detail in ctx.session.scalars(given) if detail) // 24


def _days(count: int) -> str:
    return "one day" if count == 1 else f"{count} days"
