"""Lapses: what follows when a seat's time has run out, as was chosen when its match was made.

First there is a day of grace, unless the match is lost at once. Then it is open for some days what becomes of the seat:
somebody is looked for, or the others vote. In the end the robot plays on, or the match is over: every match ends.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from pbem.play.clocks import clock_pauses, time_controls
from pbem.play.clocks.calculation import DAY, Asked, Life, Settings, reckon
from pbem.play.clocks.timeout_policies import LOSS, VOTE
from pbem.play.deadlines import turn_deadlines
from pbem.play.lifecycle import endings
from pbem.play.timeouts import absences, nominations, reminders, substitutes, votes
from pbem.states import PauseReason

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from pbem.db.models import Deadline, Holder, Match
    from pbem.play.core.context import Context

GRACE = DAY
"""Whose time has run out has this much more, where it does not lose them the match at once."""
OPEN = timedelta(days=3)
"""For so long somebody is looked for, or the others may vote."""
_OF_ALL = {PauseReason.OUTAGE, PauseReason.PAUSED}
"""What keeps the others from doing anything too."""


def passed(ctx: Context, match: Match, out: Sequence[tuple[Holder, Deadline]]) -> None:
    """Do what follows first when deadlines have passed: the match is lost or void, or a time of grace begins.

    `out` is everybody whose deadline has: with several who act together it may be more than one.
    """
    late = [(holder, row) for holder, row in out if not absences.take_by_itself(ctx, match, holder, row)]
    for holder, _row in late:
        holder.late += 1
    if not late:
        return
    if match.next_ply == 1:
        # Nobody has made a move: the match counts for nothing.
        endings.abort(ctx, match, by="clock")
    elif match.on_time == LOSS:
        endings.lose_on_time(ctx, match, [holder for holder, _row in late])
    else:
        for holder, row in late:
            row.late_at = ctx.now
            row.ends_at = _until(ctx, match, holder, row) or ctx.now + GRACE
            turn_deadlines.set_next_act(row)
            reminders.tell_late(ctx, match, holder, row)


def ended(ctx: Context, match: Match, holder: Holder, row: Deadline) -> None:
    """Do what follows when the time is over that there was for the step before."""
    until = _until(ctx, match, holder, row)
    if until is None or until > ctx.now:
        # The clock stood still meanwhile, or does now.
        row.ends_at = until or ctx.now + DAY
        if row.waits:
            # What stood still until now is in it.
            row.late_at = ctx.now
        turn_deadlines.set_next_act(row)
    elif row.sought_at is not None:
        _settle(ctx, match, holder, row)
    elif not substitutes.persons_beside(ctx, match, holder):
        substitutes.abandon(ctx, match, holder, by="clock")
    else:
        _open(ctx, match, holder, row)


def _open(ctx: Context, match: Match, holder: Holder, row: Deadline) -> None:
    """Begin the time in which it is open what becomes of a seat."""
    votes_on = match.on_time == VOTE
    host = nominations.host_of(ctx, match, holder)
    if not (votes_on or match.public or host):
        substitutes.seat_bot(ctx, match, holder, by="clock")
        return
    row.sought_at, row.ends_at = ctx.now, ctx.now + OPEN
    turn_deadlines.set_next_act(row)
    if votes_on:
        votes.ask(ctx, match, holder, row)
    elif host and not match.public:
        nominations.ask(ctx, match, host, holder, row)


def _settle(ctx: Context, match: Match, holder: Holder, row: Deadline) -> None:
    """End the time in which it was open what becomes of a seat."""
    if match.on_time == VOTE:
        votes.close(ctx, match, holder, row)
    else:
        substitutes.seat_bot(ctx, match, holder, by="clock")


def _until(ctx: Context, match: Match, holder: Holder, row: Deadline) -> datetime | None:
    """Reckon when the present step is over, by all that is known now; None while the clock stands still for good."""
    if row.sought_at is not None:
        stops = clock_pauses.spans(ctx, match, holder, row.sought_at)
        common = [stop for stop in stops if stop.why in _OF_ALL]
        return reckon(Settings(per_move=OPEN), Life(), Asked(row.sought_at), common).due
    if row.waits and row.late_at and row.ends_at:
        stops = clock_pauses.spans(ctx, match, holder, row.late_at)
        # A break has put it off already, as it began.
        outages = [stop for stop in stops if stop.why is PauseReason.OUTAGE and stop.begin < row.ends_at]
        if not outages:
            return row.ends_at
        return reckon(Settings(per_move=row.ends_at - row.late_at), Life(), Asked(row.late_at), outages).due
    begin = row.due_at or ctx.now
    settings = Settings(per_move=GRACE, weekends_free=time_controls.settings(match.clock).weekends_free)
    # Whoever goes away only now has no more time by that.
    known = clock_pauses.spans(ctx, match, holder, begin)
    counts = [stop for stop in known if stop.why is not PauseReason.AWAY or stop.begin < begin]
    return reckon(settings, turn_deadlines.life_of(holder.player), Asked(begin), counts).due
