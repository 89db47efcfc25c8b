"""Mail to the operator: forwards service mail, and reports which of it did not arrive."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.db.models import BounceReport, OutboxMessage
from pbem.play.core.errors import Refused
from pbem.play.notifications import outbox
from pbem.play.notifications.smtp_status import HARD, POLICY
from pbem.play.players.registry import normalise_email
from pbem.states import OutboxState

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pbem.config import Config
    from pbem.db.models import ServiceMail
    from pbem.play.core.context import Context

log = logging.getLogger(__name__)

KIND = "letter"
LOOKBACK = timedelta(days=7)
MAX_MAILS = 1000
"""Maximum mails of the last days that are looked at."""
MAX_FORWARDS = 20
"""Maximum attempts to forward a service mail."""
LOST_STATES = {"failed", "dropped"}
"""States of a mail that was never handed on."""


def operator_address(config: Config) -> str | None:
    """Return the operator's address; None if there is none, or if mail to it would come back here."""
    try:
        found = normalise_email(config.operator_email or "")
    except Refused:
        return None
    local, _, domain = found.rpartition("@")
    if config.mailbox_local_part and domain == config.mail_domain:
        return None if local.partition("+")[0] == config.mailbox_local_part else found
    return None if domain in {config.mail_domain, config.reply_domain} else found


def forward(ctx: Context, mail: ServiceMail, author: str) -> bool:
    """Enqueue a service mail to the operator, if there is one and they did not write it; return whether it is."""
    operator = operator_address(ctx.config)
    if operator and operator not in {author, mail.sender.lower()}:
        enqueue(ctx, mail, operator, f"letter {mail.id}")
        return True
    if ctx.config.operator_email and not operator:
        log.error("service mail not forwarded: PBEM_OPERATOR_EMAIL must be an address outside this service")
    return False


def enqueue(ctx: Context, mail: ServiceMail, operator: str, once: str) -> None:
    """Enqueue a service mail to the operator, unchanged."""
    facts = {"letter": mail.id, "recipient": mail.recipient, "sender": mail.sender}
    outbox.enqueue_mail(ctx, KIND, operator, facts, once=once)


def list_forwards(ctx: Context, number: int) -> list[OutboxMessage]:
    """List the outbox messages that forward a service mail, oldest first."""
    keys = [f"letter {number}", *(f"letter {number} {time}" for time in range(1, MAX_FORWARDS))]
    forwards = select(OutboxMessage).where(OutboxMessage.idempotency_key.in_(keys)).order_by(OutboxMessage.id)
    return list(ctx.session.scalars(forwards))


def bounce_texts(ctx: Context, messages: Iterable[OutboxMessage]) -> dict[int, str]:
    """Return the bounce texts of those messages that will never arrive, by their id."""
    theirs = BounceReport.outbox_message_id.in_([message.id for message in messages])
    reports = select(BounceReport).where(theirs, BounceReport.kind.in_({HARD, POLICY}))
    return {one.outbox_message_id: one.text for one in ctx.session.scalars(reports)}


def describe_outcome(ctx: Context, mail: ServiceMail) -> str:
    """Describe what became of forwarding a service mail, in a sentence."""
    forwards = list_forwards(ctx, mail.id)
    if not forwards and not operator_address(ctx.config):
        return "Not forwarded: set PBEM_OPERATOR_EMAIL to an address outside this service."
    if not forwards:
        return "Not forwarded: mail from programs, this service or its operator never is."
    last = forwards[-1]
    if last.state in LOST_STATES:
        return f"It could not be forwarded to the operator: {last.error or 'it was no longer needed'}."
    if last.state == OutboxState.PENDING:
        return "It is on its way to the operator." + (f" The last try failed: {last.error}" if last.error else "")
    bounce = bounce_texts(ctx, [last]).get(last.id)
    return "It was forwarded to the operator" + ("." if bounce is None else f", and came back: {bounce}")


def count_lost(ctx: Context) -> int:
    """Count the service mails of the last days that did not reach the operator."""
    operator = operator_address(ctx.config)
    if not operator:
        return 0
    forwards = select(OutboxMessage).where(OutboxMessage.recipient == operator, OutboxMessage.kind == KIND)
    recent = forwards.where(OutboxMessage.created_at > ctx.now - LOOKBACK).order_by(OutboxMessage.id.desc())
    newest: dict[int, OutboxMessage] = {}
    for message in ctx.session.scalars(recent.limit(MAX_MAILS)):
        newest.setdefault(message.render_data["letter"], message)
    bounced = bounce_texts(ctx, newest.values())
    return sum(message.state in LOST_STATES or message.id in bounced for message in newest.values())
