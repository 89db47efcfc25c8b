"""Mail to the operator: forwards service mail, and reports which of it did not arrive."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.db.models import BounceReport, OutboxMessage
from pbem.play.notifications import outbox
from pbem.play.notifications.smtp_status import HARD, POLICY
from pbem.play.players.registry import InvalidPlayerError, normalise_email
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
    except InvalidPlayerError:
        return None
    local, _, domain = found.rpartition("@")
    if config.mailbox_local_part and domain == config.mail_domain:
        return None if local.partition("+")[0] == config.mailbox_local_part else found
    return None if domain in {config.mail_domain, config.reply_domain} else found


def forward(ctx: Context, letter: ServiceMail, author: str) -> None:
    """Enqueue a service mail to the operator, if there is one and they did not write it."""
    operator = operator_address(ctx.config)
    if operator and operator not in {author, letter.sender.lower()}:
        enqueue(ctx, letter, operator, f"letter {letter.id}")
    elif ctx.config.operator_email and not operator:
        log.error("a letter is not forwarded: PBEM_OPERATOR_EMAIL must be an address outside of this service")


def enqueue(ctx: Context, letter: ServiceMail, operator: str, once: str) -> None:
    """Enqueue a service mail to the operator, unchanged."""
    facts = {"letter": letter.id, "recipient": letter.recipient, "sender": letter.sender}
    outbox.enqueue_mail(ctx, KIND, operator, facts, once=once)


def list_forwards(ctx: Context, number: int) -> list[OutboxMessage]:
    """List the outbox messages that forward a service mail, oldest first."""
    names = [f"letter {number}", *(f"letter {number} {time}" for time in range(1, MAX_FORWARDS))]
    return list(
        ctx.session.scalars(
            select(OutboxMessage).where(OutboxMessage.idempotency_key.in_(names)).order_by(OutboxMessage.id)
        )
    )


def bounce_texts(ctx: Context, mails: Iterable[OutboxMessage]) -> dict[int, str]:
    """Return the bounce texts of those mails that will never arrive, by notice id."""
    numbers = [mail.id for mail in mails]
    said = select(BounceReport).where(
        BounceReport.outbox_message_id.in_(numbers), BounceReport.kind.in_({HARD, POLICY})
    )
    return {one.outbox_message_id: one.text for one in ctx.session.scalars(said)}


def describe_outcome(ctx: Context, letter: ServiceMail) -> str:
    """Describe what became of forwarding a service mail, in a sentence."""
    mails = list_forwards(ctx, letter.id)
    if not mails and not operator_address(ctx.config):
        return "It went to nobody: PBEM_OPERATOR_EMAIL is not set to an address outside of this service."
    if not mails:
        return "It went to nobody, as what programs, this service itself and its operator write."
    last = mails[-1]
    if last.state in LOST_STATES:
        return f"It could not be forwarded to the operator: {last.error or 'it was no longer needed'}."
    if last.state == OutboxState.PENDING:
        return f"It is on its way to the operator. {f'The last try failed: {last.error}' if last.error else ''}".strip()
    said = bounce_texts(ctx, [last]).get(last.id)
    return "It was forwarded to the operator" + ("." if said is None else f", and came back: {said}")


def count_lost(ctx: Context) -> int:
    """Count the service mails of the last days that did not reach the operator."""
    operator = operator_address(ctx.config)
    if not operator:
        return 0
    lately = (
        OutboxMessage.recipient == operator,
        OutboxMessage.kind == KIND,
        OutboxMessage.created_at > ctx.now - LOOKBACK,
    )
    newest: dict[int, OutboxMessage] = {}
    for mail in ctx.session.scalars(
        select(OutboxMessage).where(*lately).order_by(OutboxMessage.id.desc()).limit(MAX_MAILS)
    ):
        newest.setdefault(mail.render_data["letter"], mail)
    back = bounce_texts(ctx, newest.values())
    return sum(mail.state in LOST_STATES or mail.id in back for mail in newest.values())
