"""Claims due deadlines, and runs what is due for one match.

A claim is not trusted: what is due is checked again under the lock of the match before anything is done.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from sqlalchemy import Select, select, tuple_, update

from pbem.db.models import Deadline, Match, SeatHolder, Submission
from pbem.db.session import call_after_commit, send_after_commit
from pbem.play.conditional_moves import robot_moves
from pbem.play.deadlines import turn_deadlines
from pbem.play.inbox import judge, receipts
from pbem.play.lifecycle import autoplay, turn_mails
from pbem.play.matches.match_state import lock_match
from pbem.play.matches.seats import holders
from pbem.play.timeouts import expired_turns, reclaims, reminders
from pbem.play.upkeep import outages
from pbem.states import MatchState, SubmissionStatus
from pbem.telemetry import metrics

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.play.core.context import Context
    from pbem.play.inbox.judge import ParsedMail

LEASE_TIME = timedelta(minutes=1)
"""Time after which a claimed deadline that was not handled is claimed again."""
BATCH_SIZE = 500


def claim(ctx: Context, most: int = BATCH_SIZE) -> int:
    """Claim some due deadlines, and enqueue a task for each of their matches; return how many were claimed."""
    # A subquery could be run again for each row, and lock other rows each time.
    once = due_query(ctx, most).cte("due")
    claimed = (
        update(Deadline)
        .where(tuple_(Deadline.match_id, Deadline.seat).in_(select(once.c.match_id, once.c.seat)))
        .values(next_action_at=ctx.now + LEASE_TIME)
        .returning(Deadline.match_id)
    )
    found = ctx.session.scalars(claimed.execution_options(synchronize_session=False)).all()
    for match in sorted(set(found)):
        send_after_commit(ctx.session, turn_deadlines.CLOCK_TASK, match)
    return len(found)


def due_query(ctx: Context, most: int) -> Select[str, int]:
    """Return the query that locks due deadlines, the longest due first, skipping those that others have locked."""
    now = select(Deadline.match_id, Deadline.seat).where(Deadline.next_action_at <= ctx.now)
    return now.order_by(Deadline.next_action_at).limit(most).with_for_update(skip_locked=True)


def run_match(ctx: Context, match_id: str, read: Callable[[bytes], ParsedMail]) -> None:
    """Do everything that is due at a match: judge submissions, play automatic moves, remind, handle timeouts."""
    judge.judge(ctx, match_id, read)
    match = lock_match(ctx, match_id)
    if match.state == MatchState.RUNNING:
        _play_automatic_moves(ctx, match)
    seated = {holder.seat: holder for holder in holders(ctx, match)}
    rows = turn_deadlines.for_match(ctx, match)
    # Collect all first: if several who act together time out, none must win by being handled last.
    out = [
        (seated[row.seat], row)
        for row in rows
        if match.state == MatchState.RUNNING and _process_deadline(ctx, match, seated[row.seat], row)
    ]
    if out and match.state == MatchState.RUNNING:
        for _seat in out:
            call_after_commit(ctx.session, metrics.count, metrics.CLOCK_ACTIONS, "passed")
        expired_turns.handle_timeouts(ctx, match, out)


def _play_automatic_moves(ctx: Context, match: Match) -> None:
    """Play the automatic moves that are due; the mails about the next turn answer the moves whose receipt is held."""
    thinking = any(robot_moves.is_thinking(match, holder) for holder in holders(ctx, match))
    held = receipts.find_held(ctx, match) if thinking else receipts.HeldReceipts((), {}, {})
    if not autoplay.play_due_moves(ctx, match, held.answers):
        return
    mailed: set[int] = set()
    if match.state == MatchState.RUNNING:
        reclaims.seat_waiting_players(ctx, match)
        mailed = turn_mails.enqueue(ctx, match, held.answers, **held.played)
    receipts.drop(ctx, match, held, mailed)


def _process_deadline(ctx: Context, match: Match, holder: SeatHolder, row: Deadline) -> bool:
    """Do what is due at one deadline, or schedule its next check; return whether the seat has now run out of time."""
    if row.phase_ends_at:
        if row.phase_ends_at > ctx.now:
            turn_deadlines.update_next_action(row)
        elif _may_run_out(ctx, match, row, row.phase_ends_at):
            call_after_commit(ctx.session, metrics.count, metrics.CLOCK_ACTIONS, "ended")
            expired_turns.advance(ctx, match, holder, row)
        return False
    turn_deadlines.update_times(ctx, match, holder, row)
    if row.due_at is None:
        return False
    if row.due_at + turn_deadlines.CLOCK_DELAY <= ctx.now:
        return _may_run_out(ctx, match, row, row.due_at)
    if row.remind_at and row.remind_at <= ctx.now:
        call_after_commit(ctx.session, metrics.count, metrics.CLOCK_ACTIONS, "reminded")
        reminders.remind(ctx, match, holder, row)
    return False


def _may_run_out(ctx: Context, match: Match, row: Deadline, moment: datetime) -> bool:
    """Return whether a timeout may count now; if not, schedule another check soon."""
    may = _is_everything_judged(ctx, match, moment) and outages.may_time_run_out(ctx)
    if not may:
        row.next_action_at = ctx.now + LEASE_TIME
    return may


def _is_everything_judged(ctx: Context, match: Match, moment: datetime) -> bool:
    """Return whether all submissions received by a moment have been judged."""
    pending = select(Submission.id).where(
        Submission.match_id == match.id, Submission.status == SubmissionStatus.PENDING, Submission.received_at <= moment
    )
    return ctx.session.scalar(pending.limit(1)) is None
