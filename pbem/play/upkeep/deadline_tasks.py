"""Timing: the beat that claims what is due, and what the clock then does at one match.

What is due are rows; whatever claims them, it is looked at again under the lock of the match before anything is done.
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
"""What was claimed and not done by then is claimed again."""
AT_ONCE = 500


def claim(ctx: Context, most: int = AT_ONCE) -> int:
    """Claim some deadlines at which something is due, and name the task that does it; returns how many there were."""
    # As a subquery it might be asked again for each row, and give other rows each time.
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
    """Ask for deadlines at which something is due, the longest due first, and keep other claims from them."""
    now = select(Deadline.match_id, Deadline.seat).where(Deadline.act_at <= ctx.now)
    return now.order_by(Deadline.act_at).limit(most).with_for_update(skip_locked=True)


def act(ctx: Context, match_id: str, read: Callable[[bytes], Reading]) -> None:
    """Do all that is due at a match: judge what came, play for seats, remind, and let time run out."""
    judge.judge(ctx, match_id, read)
    match = lock(ctx, match_id)
    if match.state == MatchState.RUNNING and autoplay.play(ctx, match) and match.state == MatchState.RUNNING:
        reclaims.seat_due(ctx, match)
        create.owe_turns(ctx, match, {})
    seated = {holder.seat: holder for holder in create.holders(ctx, match)}
    rows = turn_deadlines.of_match(ctx, match)
    # Where several act together and all let their time run out, none of them wins by being looked at last.
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
    """Do what is due about one deadline, or tell that it has passed; what is not due, is looked at again when it is."""
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
    """Tell whether time that has run out may count; where it may not yet, it is looked at again soon."""
    may = _everything_by(ctx, match, moment) and outages.awake(ctx)
    if not may:
        row.act_at = ctx.now + LEASE
    return may


def _everything_by(ctx: Context, match: Match, moment: datetime) -> bool:
    """Tell whether all that this match was sent by a moment has been judged."""
    waits = select(Submission.id).where(
        Submission.match_id == match.id, Submission.status == "pending", Submission.received_at <= moment
    )
    return ctx.session.scalar(waits.limit(1)) is None
