"""Answers: mails owed to whoever sent a mail, at the seat's own address and nowhere else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.play.core.rate_limits import DAY, HOUR, Allowed, spend
from pbem.play.notifications import outbox
from pbem.play.submissions.queue import MAIL

if TYPE_CHECKING:
    from pbem.db.models import Holder, Match, Submission
    from pbem.play.core.context import Context


MISTAKES = {"rejected", "nothing typed", "stale", "invited", "plan refused", "earlier mail"}
"""The kinds of answer that a machine which answers mail could cause for ever, however politely."""
MISTAKES_A_DAY = 5
"""So many of them an address is mailed in a day; the same one once in an hour."""


def answer(
    ctx: Context,
    match: Match,
    submission: Submission,
    kind: str,
    ply: int | None = None,
    *,
    about: str = "",
    **more: Any,
) -> None:
    """Owe the sender of a mail an answer of a kind; links and the API show the verdict instead.

    A mail is answered once for each thing that an answer is `about`.
    """
    if submission.via != MAIL:
        return
    holder = submission.holder
    if kind in MISTAKES and spend(ctx, *_allowed(ctx, match, holder, kind, more)):
        return
    facts = outbox.facts_of(ctx, match, holder)
    once = f"answer {submission.id}{about}"
    outbox.owe(ctx, kind, holder, match, facts | more, once=once, ply=ply, answers=submission.message_id)


def _allowed(ctx: Context, match: Match, holder: Holder, kind: str, facts: dict[str, Any]) -> list[Allowed]:
    if ctx.config.limits is None:
        return []
    cause = f"{match.id} {holder.id} {kind} {facts.get('line', '')}"
    return [
        Allowed("answer", holder.email, MISTAKES_A_DAY, DAY),
        Allowed("same answer", cause, 1, HOUR),
    ]


def mail_of(submission: Submission) -> tuple[int, str] | None:
    """Give the seat and Message-ID of the mail by which something was done, if it was a mail."""
    if submission.via == MAIL and submission.message_id:
        return submission.holder.seat, submission.message_id
    return None
