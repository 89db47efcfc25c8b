"""Held moves: an accepted move waits some minutes before it is played, so that its player can undo it."""

from __future__ import annotations

import hashlib
from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, select

from pbem.db import conditions
from pbem.db.models import Submission
from pbem.i18n import _, marked
from pbem.play.deadlines import turn_deadlines
from pbem.play.matches.match_state import lock_match
from pbem.play.notifications import outbox
from pbem.play.submissions.queue import MAIL
from pbem.play.submissions.verdicts import Verdict
from pbem.states import SubmissionStatus

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.db.models import Match, Player, SeatHolder
    from pbem.play.core.context import Context

HOLD_MINUTES_CHOICES = (0, 2, 10)
"""Minutes for which a player may choose to have their moves held."""
UNDONE = marked("You took this move back before it was played.")
REPLACED = marked("You replaced this move before it was played.")

_HELD = (
    select(Submission)
    .where(
        Submission.holder_id == bindparam("holder"),
        # The condition of a partial index.
        Submission.status == conditions.member(SubmissionStatus.PENDING),
        Submission.hold_until > bindparam("at"),
    )
    .limit(1)
)


def set_hold_minutes(ctx: Context, player: Player, minutes: int) -> None:
    """Store for how many minutes a player's moves are held from now on."""
    player.hold_minutes = minutes
    ctx.session.flush()


def hold(ctx: Context, match: Match, submission: Submission, move: str) -> Verdict | None:
    """Hold a legal move, in place of one that the seat has held already; return None if it must be played now."""
    until = None if submission.hold_until else _held_until(ctx, match, submission)
    if until is None:
        return None
    before = find_held(ctx, submission.holder, submission.received_at)
    if before:
        _withdraw(ctx, before, _(REPLACED))
    submission.hold_until = until
    if submission.via == MAIL and until > ctx.now:
        facts = outbox.match_facts(ctx, match, submission.holder)
        facts |= {"move": move, "until": until.isoformat(), "replaces": before is not None}
        once, answers = f"held {submission.id}", submission.message_id
        outbox.enqueue(ctx, "held", submission.holder, match, facts, once=once, answers=answers)
    return Verdict(SubmissionStatus.HELD)


def find_held(ctx: Context, holder: SeatHolder, at: datetime) -> Submission | None:
    """Find the pending move of a seat that is held beyond a moment."""
    return ctx.session.scalar(_HELD, {"holder": holder.id, "at": at})


def undo(ctx: Context, submission: Submission, at: datetime | None = None) -> bool:
    """Withdraw a move if it is still held at a moment, by default now; return whether it was."""
    lock_match(ctx, submission.match_id)
    ctx.session.refresh(submission)
    until = submission.hold_until or _undo_window_end(submission)
    if submission.status != SubmissionStatus.PENDING or until <= (at or ctx.now):
        return False
    _withdraw(ctx, submission, _(UNDONE))
    return True


def _held_until(ctx: Context, match: Match, submission: Submission) -> datetime | None:
    """Return until when a move is held, or None if the player does not hold moves, is late, or plays alone."""
    end = _undo_window_end(submission)
    if len(match.seats) == 1 or end == submission.received_at:
        return None
    due = turn_deadlines.due_or_overdue(ctx, match, submission.holder.seat)
    end = min(end, due) if due else end
    return end if end > submission.received_at else None


def _undo_window_end(submission: Submission) -> datetime:
    return submission.received_at + timedelta(minutes=submission.holder.player.hold_minutes)


def _withdraw(ctx: Context, submission: Submission, reason: str) -> None:
    submission.status, submission.reason, submission.judged_at = SubmissionStatus.REJECTED, reason, ctx.now
    if submission.via != MAIL:
        # The same move sent again is a new submission; a duplicate of a withdrawn mail is not.
        submission.idempotency_key = hashlib.sha256(b"\0".join([b"withdrawn", submission.id.encode()])).digest()
    ctx.session.flush()
