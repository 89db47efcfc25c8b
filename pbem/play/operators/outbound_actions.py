"""Operators' acts on outbound mail: to retry a mail, suppress an address, or lift a suppression."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import delete, select
from sqlalchemy.dialects.postgresql import insert

from pbem.db.models import Address, Match, OutboxMessage, ServiceMail, Suppression
from pbem.db.session import send_after_commit
from pbem.play.core.actors import ADDRESS, NOTICE, ActionError, ActionResult, Actor
from pbem.play.core.errors import Refused
from pbem.play.deliverability import bounces
from pbem.play.notifications import failed_mails, fresh_links
from pbem.play.notifications.outbox import RELAY_TASK, find_skip_reason
from pbem.play.notifications.smtp_status import redact
from pbem.play.operators import audit, lookup
from pbem.play.operators.inbound_actions import forward_once
from pbem.play.operators.perform import act
from pbem.play.players import registry, suppressions
from pbem.play.players.unsubscribes import UNSUBSCRIBED, address_hash
from pbem.states import OutboxState

if TYPE_CHECKING:
    from pbem.play.core.context import Context

BY_OPERATOR = "manual"
"""Reason of a suppression by an operator."""


@act("retry notice", NOTICE, needs_reason=False)
def retry(ctx: Context, _actor: Actor, number: int, _reason: str, /) -> ActionResult:
    """Retry a pending mail at once, or send one that was given up; a sent mail is never sent again.

    One that is no longer true, or whose facts were deleted, is replaced by a mail with the match as it is now.
    """
    mail = lookup.lock_row(ctx, OutboxMessage, number, "mail")
    if mail.state == OutboxState.SENT:
        raise ActionError(f"Mail {number} was already sent; only its recipient knows whether it arrived.")
    if reason := suppressions.suppression_reason(ctx, mail.recipient):
        raise ActionError(f"Mail to its address is suppressed ({reason}): lift that first.")
    if mail.state == OutboxState.PENDING:
        mail.due_at = ctx.now
        send_after_commit(ctx.session, RELAY_TASK, mail.shard)
        return ActionResult(f"Mail {number} is sent again now.")
    if mail.kind == "letter":
        return _retry_service_mail(ctx, mail)
    if failed_mails.retryable_until(mail) and find_skip_reason(ctx, mail) is None:
        failed_mails.retry(ctx, mail)
        return ActionResult(f"Mail {number} is sent again.")
    key = f"retry {number}"
    known = ctx.session.scalar(select(OutboxMessage.id).where(OutboxMessage.idempotency_key == key))
    if known is not None:
        return ActionResult(f"Mail {number} was already replaced by mail {known}.", changed=False)
    match = ctx.session.get(Match, mail.match_id) if mail.match_id else None
    if match is None or mail.holder is None:
        raise ActionError("Its content is deleted. Its recipient can ask for a new mail.")
    if mail.holder.left_at is not None:
        raise ActionError("Another player holds that seat now.")
    fresh_links.enqueue(ctx, match, mail.holder, once=key)
    if ctx.session.scalar(select(OutboxMessage.id).where(OutboxMessage.idempotency_key == key)) is None:
        raise ActionError("The match was cancelled before it started, so there is nothing to send.")
    failed_mails.mark_replaced(mail)
    return ActionResult(f"Mail {number} is replaced by a new one with the current state of the match.")


@act("suppress", ADDRESS)
def suppress(ctx: Context, _actor: Actor, email: str, _reason: str, /) -> ActionResult:
    """Suppress all mail to an address."""
    email = _normalise_address(email)
    known = ctx.session.get(Suppression, address_hash(email), with_for_update=True)
    before = known.reason if known else None
    if before == BY_OPERATOR:
        return ActionResult(f"Mail to {email} is already suppressed.", changed=False, detail=_redacted_detail(email))
    values = {"reason": BY_OPERATOR, "suppressed_at": ctx.now, "expires_at": None}
    row = insert(Suppression).values(hash=address_hash(email), **values)
    ctx.session.execute(row.on_conflict_do_update(index_elements=["hash"], set_=values))
    ctx.session.expire_all()
    detail = _redacted_detail(email) | ({"before": before} if before else {})
    return ActionResult(f"Mail to {email} is suppressed now.", detail=detail)


@act("lift", ADDRESS)
def lift(ctx: Context, _actor: Actor, email: str, _reason: str, /) -> ActionResult:
    """Lift the suppression of an address; a single report that it does not exist suppresses it again."""
    email = _normalise_address(email)
    row = ctx.session.get(Suppression, address_hash(email), with_for_update=True)
    if row is None:
        return ActionResult(f"Mail to {email} is not suppressed.", changed=False, detail=_redacted_detail(email))
    if row.reason == UNSUBSCRIBED:
        raise ActionError("Its owner has unsubscribed: only they can undo that.")
    reason = row.reason
    ctx.session.execute(delete(Suppression).where(Suppression.hash == address_hash(email)))
    if reason == BY_OPERATOR and _had_unsubscribed(ctx, email):
        own = {"hash": address_hash(email), "reason": UNSUBSCRIBED, "suppressed_at": ctx.now}
        ctx.session.execute(insert(Suppression).values(own))
        message = f"The suppression of {email} is lifted, but its owner had unsubscribed before: no mail is sent."
        return ActionResult(message, detail=_redacted_detail(email) | {"lifted": reason})
    address = ctx.session.get(Address, email, with_for_update=True, populate_existing=True)
    if address is not None:
        address.bounce_score = min(address.bounce_score, bounces.TRIAL_SCORE)
    return ActionResult(f"Mail is sent to {email} again.", detail=_redacted_detail(email) | {"lifted": reason})


def _retry_service_mail(ctx: Context, mail: OutboxMessage) -> ActionResult:
    number = int(mail.idempotency_key.split()[1])
    if ctx.session.get(ServiceMail, number) is None:
        raise ActionError("That letter is deleted.")
    return forward_once(ctx, number)


def _had_unsubscribed(ctx: Context, email: str) -> bool:
    """Return whether the owner of an address had unsubscribed before an operator suppressed it."""
    entries = audit.newest(ctx, subject=(ADDRESS, address_hash(email).hex()), act="suppress")
    last = next((entry.detail for entry in entries if entry.detail["changed"]), {})
    return last.get("before") == UNSUBSCRIBED


def _redacted_detail(email: str) -> dict[str, str]:
    """Return the address for the audit log, so that its owner recognises it and nobody else learns it."""
    return {"address": redact(email)}


def _normalise_address(email: str) -> str:
    try:
        return registry.normalise_email(email)
    except Refused as refused:
        raise ActionError(str(refused)) from None
