"""Claims due deadlines, and runs what is due for one match.

A claim is not trusted: what is due is checked again under the lock of the match before anything is done.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import select, tuple_, update

from pbem.db.models import Deadline, Submission
from pbem.db.session import after_commit, once_committed
from pbem.play.deadlines import turn_deadlines
from pbem.play.inbox import judge
from pbem.play.lifecycle import autoplay, create
from pbem.play.matches.match_state import lock
from pbem.play.timeouts import lapses, reclaims, reminders
from pbem.play.upkeep import outages
from pbem.states import MatchState
from pbem.telemetry import metrics

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from sqlalchemy import Select

    from pbem.db.models import Holder, Match
    from pbem.play.core.context import Context
    from pbem.play.inbox.judge import Reading

LEASE = timedelta(minutes=1)
"""Time after which a claimed deadline that was not handled is claimed again."""
AT_ONCE = 500


def claim(ctx: Context, most: int = AT_ONCE) -> int:
    """Claim some due deadlines, and enqueue a task for each of their matches; return how many were claimed."""
    # A subquery could be run again for each row, and lock other rows each time.
    once = due(ctx, most).cte("due")
    claimed = (
        update(Deadline)
        .where(tuple_(Deadline.match_id, Deadline.seat).in_(select(once.c.match_id, once.c.seat)))
        .values(act_at=ctx.now + LEASE)
        .returning(Deadline.match_id)
    )
    found = ctx.session.scalars(claimed.execution_options(synchronize_session=False)).all()
    for match in sorted(set(found)):
        after_commit(ctx.session, turn_deadlines.CLOCK, match)
    return len(found)


def due(ctx: Context, most: int) -> Select[str, int]:
    """Return the query that locks due deadlines, the longest due first, skipping those that others have locked."""
    now = select(Deadline.match_id, Deadline.seat).where(Deadline.act_at <= ctx.now)
    return now.order_by(Deadline.act_at).limit(most).with_for_update(skip_locked=True)


def act(ctx: Context, match_id: str, read: Callable[[bytes], Reading]) -> None:
    """Do everything that is due at a match: judge submissions, play automatic moves, remind, handle timeouts."""
    judge.judge(ctx, match_id, read)
    match = lock(ctx, match_id)
    if match.state == MatchState.RUNNING and autoplay.play(ctx, match) and match.state == MatchState.RUNNING:
        reclaims.seat_due(ctx, match)
        create.owe_turns(ctx, match, {})
    seated = {holder.seat: holder for holder in create.holders(ctx, match)}
    rows = turn_deadlines.of_match(ctx, match)
    # Collect all first: if several who act together time out, none must win by being handled last.
    out = [
        (seated[row.seat], row)
        for row in rows
        if match.state == MatchState.RUNNING and _look(ctx, match, seated[row.seat], row)
    ]
    if out and match.state == MatchState.RUNNING:
        for _seat in out:
            once_committed(ctx.session, metrics.count, metrics.CLOCK, "passed")
        lapses.passed(ctx, match, out)


def _look(ctx: Context, match: Match, holder: Holder, row: Deadline) -> bool:
    """Do what is due at one deadline, or schedule its next check; return whether the seat has now run out of time."""
    if row.late_at:
        if row.ends_at is None or row.ends_at > ctx.now:
            turn_deadlines.set_next_act(row)
        elif _may_run_out(ctx, match, row, row.ends_at):
            once_committed(ctx.session, metrics.count, metrics.CLOCK, "ended")
            lapses.ended(ctx, match, holder, row)
        return False
    turn_deadlines.set_moments(ctx, match, holder, row)
    if row.due_at is None:
        return False
    if row.due_at + turn_deadlines.PATIENCE <= ctx.now:
        return _may_run_out(ctx, match, row, row.due_at)
    if row.remind_at and row.remind_at <= ctx.now:
        once_committed(ctx.session, metrics.count, metrics.CLOCK, "reminded")
        reminders.remind(ctx, match, holder, row)
    return False


def _may_run_out(ctx: Context, match: Match, row: Deadline, moment: datetime) -> bool:
    """Return whether a timeout may count now; if not, schedule another check soon."""
    may = _everything_by(ctx, match, moment) and outages.awake(ctx)
    if not may:
        row.act_at = ctx.now + LEASE
    return may


def _everything_by(ctx: Context, match: Match, moment: datetime) -> bool:
    """Return whether all submissions received by a moment have been judged."""
    waits = select(Submission.id).where(
        Submission.match_id == match.id, Submission.status == "pending", Submission.received_at <= moment
    )
    return ctx.session.scalar(waits.limit(1)) is None
