"""Loopback check: mails that the service sends to itself, to show that mail goes out and comes in."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import delete, select

from pbem.db.models import BounceReport, OutboxMessage, ServiceMail
from pbem.play.core import tokens
from pbem.play.notifications import outbox

if TYPE_CHECKING:
    from pbem.play.core.context import Context

KIND = "probe"
"""Kind of the outbox message, and name of its mailbox."""
PROBE_LIFETIME = timedelta(days=1)
"""Time after which a probe expires."""


class Probe(NamedTuple):
    """Status of a probe: the state of its outbox message, why it was not sent, and the mail once it is back."""

    state: str
    error: str | None
    raw: bytes | None


def send(ctx: Context) -> str:
    """Enqueue a probe to the service itself; returns the token in its address."""
    token = tokens.base32(int.from_bytes(ctx.draw(17), "big") >> 6, tokens.LENGTH)
    facts = {"language": "en", "name": "Probe"}
    outbox.enqueue_mail(ctx, KIND, address(ctx, token), facts, once=_idempotency_key(token))
    return token


def address(ctx: Context, token: str) -> str:
    """Return the address of a probe."""
    return ctx.config.address_of(KIND, token)


def was_sent(ctx: Context, token: str) -> bool:
    """Return whether a probe with this token was sent."""
    sent = select(OutboxMessage.id).where(OutboxMessage.idempotency_key == _idempotency_key(token))
    return ctx.session.scalar(sent) is not None


def store_returned(ctx: Context, token: str, raw: bytes, fingerprint: bytes) -> bool:
    """Store a probe that came back; return False if it is stored already."""
    if _returned_mail(ctx, token) is not None:
        return False
    mail = ServiceMail(
        recipient=_idempotency_key(token), sender="", raw=raw, idempotency_key=fingerprint, received_at=ctx.now
    )
    ctx.session.add(mail)
    ctx.session.flush()
    return True


def status(ctx: Context, token: str) -> Probe:
    """Return the status of a probe."""
    sent = select(OutboxMessage).where(OutboxMessage.idempotency_key == _idempotency_key(token))
    message = ctx.session.scalars(sent).one()
    return Probe(message.state, message.error, _returned_mail(ctx, token))


def purge(ctx: Context, token: str | None = None) -> None:
    """Delete a probe, and all that have expired."""
    over = OutboxMessage.created_at < ctx.now - PROBE_LIFETIME
    if token is not None:
        over |= OutboxMessage.idempotency_key == _idempotency_key(token)
    probes = select(OutboxMessage.id, OutboxMessage.idempotency_key).where(OutboxMessage.kind == KIND, over)
    rows = ctx.session.execute(probes).all()
    numbers = [number for number, _ in rows]
    ctx.session.execute(delete(ServiceMail).where(ServiceMail.recipient.in_([once for _, once in rows])))
    ctx.session.execute(delete(BounceReport).where(BounceReport.outbox_message_id.in_(numbers)))
    ctx.session.execute(delete(OutboxMessage).where(OutboxMessage.id.in_(numbers)))


def _returned_mail(ctx: Context, token: str) -> bytes | None:
    return ctx.session.scalar(select(ServiceMail.raw).where(ServiceMail.recipient == _idempotency_key(token)))


def _idempotency_key(token: str) -> str:
    return f"{KIND} {tokens.hash_token(tokens.normalise(token) or '').hex()}"
