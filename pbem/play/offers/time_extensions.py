"""Time extensions: more time for one move, agreed on or given by an opponent who waits for it."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.db.models import Deadline, LogEntry, MatchSeat
from pbem.i18n import _, several
from pbem.play.clocks import time_controls
from pbem.play.clocks.calculation import DAY, ZERO
from pbem.play.core.context import to_milliseconds
from pbem.play.core.errors import Refused
from pbem.play.deadlines import turn_deadlines
from pbem.play.matches import seats
from pbem.play.matches.match_state import append_event
from pbem.play.offers.open_offers import is_past_grace_period
from pbem.states import DeadlinePhase

if TYPE_CHECKING:
    from pbem.db.models import Match
    from pbem.play.core.context import Context

DEFAULT_DAYS, MAX_DAYS, GIFT_DAYS = 2, 7, 1
"""Days: default of a request, maximum of a request, and what an opponent gives unasked."""
MAX_TOTAL_DAYS = 14
"""Maximum days of all extensions for one move."""

_DAYS = re.compile(r"(?:\+ ?)?(\d{1,4})(?: ?(?:d|days?|tage?n?))?")
_PLEASE = {"", "please", "bitte"}


def parse_days(text: str) -> int | None:
    """Parse how many days a player asks for, None without a number; raises Refused for any other text."""
    text = text.strip().strip(".!").casefold()
    if text in _PLEASE:
        return None
    found = _DAYS.fullmatch(text)
    if not found:
        raise Refused(_("Add the number of days, such as “more time 4 days”."))
    return int(found[1])


def allowed_days(ctx: Context, match: Match, seat: int, days: int | None = None) -> int:
    """Return how many days a seat that is to move may get; raises Refused if it may get none."""
    wanted = DEFAULT_DAYS if days is None else days
    if not time_controls.control_for(match.time_control).runs:
        raise Refused(_("This match has no deadlines. Take your time."))
    row = ctx.session.get_one(Deadline, (match.id, seat), populate_existing=True)
    if is_past_grace_period(ctx, match, seat):
        raise Refused(_("The deadline and the day after it have passed. You can still move."))
    if not 1 <= wanted <= MAX_DAYS:
        raise Refused(_("You can ask for one to {most} days at a time.", most=MAX_DAYS))
    left = MAX_TOTAL_DAYS - int(timedelta(seconds=row.extra_seconds) / DAY)
    if wanted > left:
        if not left:
            raise Refused(_("This move already has {longest} extra days, the maximum.", longest=MAX_TOTAL_DAYS))
        some = several(
            "A move can get at most {longest} extra days; one is left.",
            "A move can get at most {longest} extra days; {number} are left.",
            left,
            longest=MAX_TOTAL_DAYS,
        )
        raise Refused(some)
    _check_room(ctx, match, row, wanted)
    return wanted


def _check_room(ctx: Context, match: Match, row: Deadline, wanted: int) -> None:
    """Raise Refused if a move would have more time than its clock allows with all extensions."""
    clock = time_controls.control_for(match.time_control)
    if not clock.extra_within_cap or clock.cap is None:
        return
    left = ctx.session.get_one(MatchSeat, (match.id, row.seat)).bank_seconds
    bank = clock.bank or ZERO if left is None else timedelta(seconds=left)
    if bank + timedelta(seconds=row.extra_seconds) + wanted * DAY > clock.cap:
        raise Refused(_("A move of this match can have at most {days} days, with the bank.", days=clock.cap.days))


def has_granted(ctx: Context, match: Match, seat: int, by: str) -> bool:
    """Return whether `by` has given a seat time for this move already."""
    row = ctx.session.get_one(Deadline, (match.id, seat), populate_existing=True)
    entries = select(LogEntry.number).where(LogEntry.match_id == match.id, LogEntry.event == "extended")
    theirs = LogEntry.seat == seat, LogEntry.by == by, LogEntry.logged_at >= to_milliseconds(row.asked_at)
    return ctx.session.scalar(entries.where(*theirs).limit(1)) is not None


def extend(ctx: Context, match: Match, seat: int, days: int, by: str) -> None:
    """Extend the time of a seat's move; the seat is no longer late unless its grace period has run out."""
    append_event(ctx, match, "extended", seat=seat, by=by, detail={"seat": seat, "hours": days * 24})
    row = ctx.session.get_one(Deadline, (match.id, seat), populate_existing=True)
    row.extra_seconds += int((days * DAY).total_seconds())
    holder = next(one for one in seats.holders(ctx, match) if one.seat == seat)
    if row.wait_votes and row.phase_ends_at:
        # The others have chosen to wait, longer than these days would last from the deadline on.
        row.phase_ends_at += days * DAY
        turn_deadlines.update_next_action(row)
    else:
        if row.phase != DeadlinePhase.RUNNING:
            # The deadline counts as missed again if the added time runs out.
            row.phase, row.phase_started_at, row.phase_ends_at = DeadlinePhase.RUNNING, None, None
            holder.late_moves = max(holder.late_moves - 1, 0)
        turn_deadlines.update_times(ctx, match, holder, row)
    ctx.session.flush()
