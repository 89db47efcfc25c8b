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
    notice = lookup.lock_row(ctx, OutboxMessage, number, "mail")
    if notice.state == OutboxState.SENT:
        raise ActionError(f"Mail {number} was sent; whether it arrived only its recipient knows.")
    if reason := suppressions.suppression_reason(ctx, notice.recipient):
        raise ActionError(f"Its address is not to be written to ({reason}): lift that first.")
    if notice.state == OutboxState.PENDING:
        notice.due_at = ctx.now
        send_after_commit(ctx.session, RELAY_TASK, notice.shard)
        return ActionResult(f"Mail {number} is tried now.")
    if notice.kind == "letter":
        return _retry_service_mail(ctx, notice)
    if failed_mails.retryable_until(notice) and find_skip_reason(ctx, notice) is None:
        failed_mails.retry(ctx, notice)
        return ActionResult(f"Mail {number} is sent after all.")
    once = f"retry {number}"
    known = ctx.session.scalar(select(OutboxMessage.id).where(OutboxMessage.idempotency_key == once))
    if known is not None:
        return ActionResult(f"Mail {number} was written anew already, as mail {known}.", changed=False)
    match = ctx.session.get(Match, notice.match_id) if notice.match_id else None
    if match is None or notice.holder is None:
        raise ActionError("What it was made of is kept no more: whoever it was for may ask for it again.")
    if notice.holder.left_at is not None:
        raise ActionError("Somebody else sits at that seat now.")
    fresh_links.enqueue(ctx, match, notice.holder, once=once)
    if ctx.session.scalar(select(OutboxMessage.id).where(OutboxMessage.idempotency_key == once)) is None:
        raise ActionError("The match was called off before it began, so there is nothing to tell.")
    failed_mails.mark_replaced(notice)
    return ActionResult(f"Instead of mail {number} a new one goes to its seat, with the match as it stands.")


@act("suppress", ADDRESS)
def suppress(ctx: Context, _actor: Actor, email: str, _reason: str, /) -> ActionResult:
    """Suppress all mail to an address."""
    email = _normalise_address(email)
    known = ctx.session.get(Suppression, address_hash(email), with_for_update=True)
    before = known.reason if known else None
    if before == BY_OPERATOR:
        return ActionResult(f"Nothing is mailed to {email} already.", changed=False, detail=_redacted_detail(email))
    row = {"hash": address_hash(email), "reason": BY_OPERATOR, "suppressed_at": ctx.now, "expires_at": None}
    written = insert(Suppression).values(row)
    values = {name: written.excluded[name] for name in ("reason", "suppressed_at", "expires_at")}
    ctx.session.execute(written.on_conflict_do_update(index_elements=["hash"], set_=values))
    ctx.session.expire_all()
    detail = _redacted_detail(email) | ({"before": before} if before else {})
    return ActionResult(f"Nothing is mailed to {email} from now on.", detail=detail)


@act("lift", ADDRESS)
def lift(ctx: Context, _actor: Actor, email: str, _reason: str, /) -> ActionResult:
    """Lift the suppression of an address; a single report that it does not exist suppresses it again."""
    email = _normalise_address(email)
    row = ctx.session.get(Suppression, address_hash(email), with_for_update=True)
    if row is None:
        return ActionResult(
            f"Nothing speaks against writing to {email}.", changed=False, detail=_redacted_detail(email)
        )
    if row.reason == UNSUBSCRIBED:
        raise ActionError("Its owner has asked for no mail; only they can undo that, on any page about their mail.")
    reason = row.reason
    ctx.session.execute(delete(Suppression).where(Suppression.hash == address_hash(email)))
    if reason == BY_OPERATOR and _had_unsubscribed(ctx, email):
        own = {"hash": address_hash(email), "reason": UNSUBSCRIBED, "suppressed_at": ctx.now}
        ctx.session.execute(insert(Suppression).values(own))
        said = f"What was said of {email} is lifted; its owner had asked for no mail before, and that stands again."
        return ActionResult(said, detail=_redacted_detail(email) | {"lifted": reason})
    address = ctx.session.get(Address, email, with_for_update=True, populate_existing=True)
    if address is not None:
        address.bounce_score = min(address.bounce_score, bounces.TRIAL_SCORE)
    return ActionResult(f"Mail goes to {email} again.", detail=_redacted_detail(email) | {"lifted": reason})


def _retry_service_mail(ctx: Context, notice: OutboxMessage) -> ActionResult:
    number = int(notice.idempotency_key.split()[1])
    if ctx.session.get(ServiceMail, number) is None:
        raise ActionError("That letter is kept no more.")
    return forward_once(ctx, number)


def _had_unsubscribed(ctx: Context, email: str) -> bool:
    """Return whether the owner of an address had unsubscribed before an operator suppressed it."""
    said = audit.newest(ctx, subject=(ADDRESS, address_hash(email).hex()), act="suppress")
    last = next((line.detail for line in said if line.detail["changed"]), {})
    return last.get("before") == UNSUBSCRIBED


def _redacted_detail(email: str) -> dict[str, str]:
    """Return the address for the audit log, so that its owner recognises it and nobody else learns it."""
    return {"address": redact(email)}


def _normalise_address(email: str) -> str:
    try:
        return registry.normalise_email(email)
    except Refused as refused:
        raise ActionError(str(refused)) from None
