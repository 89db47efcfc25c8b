"""Operators' acts on inbound mail: to judge or process it again, and to forward service mail."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.db.models import ServiceMail, Submission
from pbem.db.session import send_after_commit
from pbem.play.core.actors import LETTER, SUBMISSION, ActionError, ActionResult, Actor
from pbem.play.inbox.service_mail import PROCESS_TASK
from pbem.play.notifications import operator_mail
from pbem.play.operators import lookup
from pbem.play.operators.perform import act
from pbem.play.submissions.queue import JUDGE_TASK, MAIL
from pbem.states import OutboxState, ServiceMailStatus, SubmissionStatus
from pbem.telemetry import logs

if TYPE_CHECKING:
    from pbem.play.core.context import Context

RETRYABLE_STATUSES = {SubmissionStatus.FAILED, SubmissionStatus.IGNORED, SubmissionStatus.REJECTED}
"""Final statuses of submissions that may be judged again: they had no effect."""


@act("retry submission", SUBMISSION, needs_reason=False)
def retry(ctx: Context, _actor: Actor, name: str, _reason: str, /) -> ActionResult:
    """Retry a submission with its original time of receipt; this does not confirm its sender."""
    if len(name) < logs.SHORT_ID_LENGTH:
        raise ActionError(f"There is no submission {name} here.")
    whole = lookup.submission(ctx, name)
    submission = ctx.session.get_one(Submission, whole, with_for_update=True, populate_existing=True)
    short = logs.shorten_id(submission.id)
    if submission.status == SubmissionStatus.PENDING:
        send_after_commit(ctx.session, JUDGE_TASK, submission.match_id)
        held = submission.hold_until and submission.hold_until > ctx.now
        status = "is held while its sender can undo it" if held else "is pending, and is judged now"
        return ActionResult(f"Submission {short} {status}.", changed=False)
    if submission.status not in RETRYABLE_STATUSES:
        raise ActionError(f"Submission {short} was judged ({submission.status}), which cannot change.")
    if submission.raw is None if submission.via == MAIL else submission.text is None:
        raise ActionError("Its content is deleted.")
    before, submission.status = submission.status, SubmissionStatus.PENDING
    submission.reason, submission.judged_at, submission.attempts = None, None, 0
    send_after_commit(ctx.session, JUDGE_TASK, submission.match_id)
    return ActionResult(f"Submission {short}, which was {before}, is judged again.", detail={"before": before})


@act("retry letter", LETTER, needs_reason=False)
def retry_service_mail(ctx: Context, _actor: Actor, number: int, _reason: str, /) -> ActionResult:
    """Retry a service mail."""
    letter = lookup.lock_row(ctx, ServiceMail, number, "letter")
    if letter.status == ServiceMailStatus.PENDING:
        send_after_commit(ctx.session, PROCESS_TASK, number)
        return ActionResult(f"Letter {number} is pending, and is read now.", changed=False)
    if letter.status == ServiceMailStatus.DONE:
        raise ActionError(f"Letter {number} was already answered.")
    if letter.recipient != ctx.config.service_address:
        raise ActionError(f"Letter {number} was sent to {letter.recipient}, which is for people: forward it.")
    before, letter.status = letter.status, ServiceMailStatus.PENDING
    send_after_commit(ctx.session, PROCESS_TASK, number)
    return ActionResult(f"Letter {number} is read again.", detail={"before": before})


@act("forward", LETTER, needs_reason=False)
def forward(ctx: Context, _actor: Actor, number: int, _reason: str, /) -> ActionResult:
    """Forward a service mail, as it came, to the operator's address, unless it is on its way or was sent already."""
    lookup.lock_row(ctx, ServiceMail, number, "letter")
    return forward_once(ctx, number)


def forward_once(ctx: Context, number: int) -> ActionResult:
    """Enqueue a service mail to the operator's address, unless it went there already."""
    letter, operator = ctx.session.get_one(ServiceMail, number), operator_mail.operator_address(ctx.config)
    if not operator:
        raise ActionError("Set PBEM_OPERATOR_EMAIL to an address outside of this service first.")
    sent = operator_mail.list_forwards(ctx, number)
    if len(sent) == operator_mail.MAX_FORWARDS:
        raise ActionError(f"Letter {number} was sent {len(sent)} times, but never arrived: fix that address first.")
    bounced = operator_mail.bounce_texts(ctx, sent)
    for mail in sent:
        if mail.state not in operator_mail.LOST_STATES and mail.id not in bounced:
            status = "was already forwarded" if mail.state == OutboxState.SENT else "is already on its way"
            return ActionResult(f"Letter {number} {status}, as mail {mail.id}.", changed=False)
    operator_mail.enqueue(ctx, letter, operator, f"letter {number} {len(sent)}" if sent else f"letter {number}")
    return ActionResult(f"Letter {number} is forwarded to the operator’s address.")
