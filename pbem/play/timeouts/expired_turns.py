"""Handling of timeouts according to the timeout policy of the match.

Unless the match is lost at once, there is first a grace period of a day. Then a substitute is sought for some days, or
the other players vote. In the end the robot plays on or the match is over, so every match ends.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from pbem.play.clocks import clock_pauses, time_controls
from pbem.play.clocks.calculation import DAY, Availability, TimeControl, TurnStart, compute_due_time
from pbem.play.clocks.timeout_policies import LOSS, ROBOT, VOTE
from pbem.play.deadlines import turn_deadlines
from pbem.play.lifecycle import endings, seat_changes
from pbem.play.matches import seats, withheld
from pbem.play.timeouts import absences, nominations, reminders, votes
from pbem.states import DeadlinePhase, PauseReason

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from pbem.db.models import Deadline, Match, SeatHolder
    from pbem.play.core.context import Context

GRACE_PERIOD = DAY
"""Grace period after a timeout that does not lose the match at once."""
DECISION_TIME = timedelta(days=3)
"""Time for which a substitute is sought, or the other players may vote."""
_SHARED_PAUSE_REASONS = {PauseReason.OUTAGE, PauseReason.PAUSED}
"""Reasons for pauses that keep the other players from acting, too."""


def handle_timeouts(ctx: Context, match: Match, out: Sequence[tuple[SeatHolder, Deadline]]) -> None:
    """Handle deadlines that have passed: end or abort the match, or start the grace period.

    `out` are all seats whose deadlines have passed; when several act together there may be more than one.
    """
    late = [(holder, row) for holder, row in out if not absences.start_automatically(ctx, match, holder, row)]
    for holder, _row in late:
        holder.late_moves += 1
    if not late:
        return
    if match.next_ply == 1 and match.event_id is None:
        # Nobody has moved: the match does not count. In an event, silence would cost nothing then.
        endings.abort(ctx, match, by="clock")
    elif match.timeout_policy == LOSS:
        endings.lose_on_time(ctx, match, [holder for holder, _row in late])
    elif match.timeout_policy == ROBOT:
        for holder, _row in late:
            seat_changes.seat_robot(ctx, match, holder, by="clock", reason=seats.TIMED_OUT)
    else:
        for holder, row in late:
            ends_at = _grace_ends_at(ctx, match, holder, row) or ctx.now + GRACE_PERIOD
            turn_deadlines.enter_phase(ctx, row, DeadlinePhase.GRACE, ends_at)
            reminders.notify_late(ctx, match, holder, row)


def advance(ctx: Context, match: Match, holder: SeatHolder, row: Deadline) -> None:
    """Do what follows when the time of a phase is over: start the search or vote, end it, or end the match."""
    until = _phase_ends_at(ctx, match, holder, row)
    if until is None or until > ctx.now:
        # The clock was paused meanwhile, or is now.
        row.phase_ends_at = until or ctx.now + DAY
        if row.phase == DeadlinePhase.WAITING:
            # The new end includes the pauses until now, so only later ones count from here.
            row.phase_started_at = ctx.now
        turn_deadlines.update_next_action(row)
    elif row.phase == DeadlinePhase.REPLACEMENT and match.timeout_policy == VOTE:
        votes.close(ctx, match, holder, row)
    elif row.phase == DeadlinePhase.REPLACEMENT:
        seat_changes.seat_robot(ctx, match, holder, by="clock")
    elif not seat_changes.other_people(ctx, match, holder):
        seat_changes.abandon_match(ctx, match, holder, by="clock")
    else:
        _start_decision(ctx, match, holder, row)


def _start_decision(ctx: Context, match: Match, holder: SeatHolder, row: Deadline) -> None:
    """Start the search for a substitute or the vote; without either, seat the robot.

    Those who took a seat at a table that is withheld might have seen its hand at another one.
    """
    votes_on = match.timeout_policy == VOTE
    host = nominations.find_nominator(ctx, match, holder)
    if not votes_on and (withheld.hides_table(match) or not (match.public or host)):
        seat_changes.seat_robot(ctx, match, holder, by="clock")
        return
    turn_deadlines.enter_phase(ctx, row, DeadlinePhase.REPLACEMENT, ctx.now + DECISION_TIME)
    if votes_on:
        votes.ask_others(ctx, match, holder, row)
    elif host and not match.public:
        nominations.ask_host(ctx, match, host, holder, row)


def _phase_ends_at(ctx: Context, match: Match, holder: SeatHolder, row: Deadline) -> datetime | None:
    """Compute when the present phase ends; None while the clock is paused without a known end."""
    begin, end = row.phase_started_at, row.phase_ends_at
    if begin is None or end is None:
        return None
    if row.phase not in {DeadlinePhase.REPLACEMENT, DeadlinePhase.WAITING}:
        return _grace_ends_at(ctx, match, holder, row)
    stops = clock_pauses.stopped_intervals(ctx, match, holder, begin)
    if row.phase == DeadlinePhase.REPLACEMENT:
        length, stops = DECISION_TIME, tuple(stop for stop in stops if stop.reason in _SHARED_PAUSE_REASONS)
    else:
        # An agreed pause has already postponed it.
        stops = tuple(stop for stop in stops if stop.reason is PauseReason.OUTAGE and stop.begin < end)
        if not stops:
            return end
        length = end - begin
    return compute_due_time(TimeControl(per_move=length), Availability(), TurnStart(begin), stops).due


def _grace_ends_at(ctx: Context, match: Match, holder: SeatHolder, row: Deadline) -> datetime | None:
    """Compute when the grace period ends; None while the clock is paused without a known end."""
    begin = row.due_at or ctx.now
    settings = TimeControl(
        per_move=GRACE_PERIOD, weekends_free=time_controls.control_for(match.time_control).weekends_free
    )
    # An absence that begins after the timeout gives no more time.
    known = clock_pauses.stopped_intervals(ctx, match, holder, begin)
    counts = [stop for stop in known if stop.reason is not PauseReason.AWAY or stop.begin < begin]
    return compute_due_time(settings, turn_deadlines.availability_of(holder.player), TurnStart(begin), counts).due
