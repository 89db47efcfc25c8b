"""Replies to mails of players, sent to the seat's own address and nowhere else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.play.core.message_kinds import delivery_rules
from pbem.play.core.rate_limits import SECONDS_PER_DAY, SECONDS_PER_HOUR, Limit, hit
from pbem.play.notifications import outbox
from pbem.play.submissions.queue import MAIL

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.db.models import Match, Submission
    from pbem.play.core.context import Context


MAX_MISTAKES_PER_DAY = 5
"""Maximum replies that an autoresponder could cause, per address and day; the same one at most once an hour."""


def answer(
    ctx: Context,
    match: Match,
    submission: Submission,
    kind: str,
    ply: int | None = None,
    *,
    about: str = "",
    due_at: datetime | None = None,
    **more: Any,
) -> None:
    """Enqueue a reply to the sender of a mail; pages and the API show the verdict instead.

    A mail gets one reply for each thing that a reply is `about`; `due_at` is when it is sent, if not at once.
    """
    if submission.via != MAIL:
        return
    holder = submission.holder
    if delivery_rules(kind).can_loop and ctx.config.limits is not None:
        per_day = Limit("answer", holder.email, MAX_MISTAKES_PER_DAY, SECONDS_PER_DAY)
        cause = f"{match.id} {holder.id} {kind} {more.get('line', '')}"
        if hit(ctx, per_day, Limit("same answer", cause, 1, SECONDS_PER_HOUR)):
            return
    facts = outbox.match_facts(ctx, match, holder) | more
    once = f"answer {submission.id}{about}"
    outbox.enqueue(ctx, kind, holder, match, facts, once=once, ply=ply, answers=submission.message_id, due_at=due_at)


def source_mail(submission: Submission) -> tuple[int, str] | None:
    """Return the seat and Message-ID of the mail that a submission came by, or None if it was no mail."""
    if submission.via == MAIL and submission.message_id:
        return submission.holder.seat, submission.message_id
    return None
