"""Mails that were given up: their facts are stored for a while, so that they can still be sent."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import func, select, text, update

from pbem.db.models import OutboxMessage
from pbem.db.session import send_after_commit
from pbem.play.core.message_kinds import delivery_rules
from pbem.play.notifications.outbox import RELAY_TASK
from pbem.states import OutboxState

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.play.core.context import Context

RETENTION = timedelta(days=30)
"""Time for which the facts of a mail are stored after it was given up."""
BATCH_SIZE = 500
_RENDERING_ERROR = "could not be written: "
# Literals, so that the partial index on given-up mails can be used.
_IS_RETRYABLE = text("outbox_messages.state = 'failed' AND outbox_messages.render_data <> '{}'")
_IS_UNRENDERED = OutboxMessage.error.startswith(_RENDERING_ERROR)


def rendering_error(fault: Exception) -> str:
    """Format our own rendering error as the reason why a mail is given up."""
    return f"{_RENDERING_ERROR}{fault!r}"


def is_retryable(message: OutboxMessage) -> bool:
    """Return whether a mail may be stored after it is given up, to be sent later."""
    return not delivery_rules(message.kind).is_secret


def retryable_until(message: OutboxMessage) -> datetime | None:
    """Return until when a mail that was given up can still be sent; None if it cannot."""
    kept = message.state == OutboxState.FAILED and message.render_data
    return message.finished_at + RETENTION if kept and message.finished_at else None


def count_unrendered(ctx: Context, most: int) -> tuple[int, datetime | None]:
    """Count the mails given up for a rendering error that can still be sent; also return when the oldest was."""
    unrendered = select(OutboxMessage.finished_at).where(_IS_RETRYABLE, _IS_UNRENDERED)
    found = unrendered.order_by(OutboxMessage.finished_at).limit(most).subquery()
    count, oldest = ctx.session.execute(select(func.count(), func.min(found.c.finished_at))).one()
    return int(count), oldest


def count_refused(ctx: Context, since: datetime, most: int) -> int:
    """Count the mails that were given up since a moment because they could not be delivered."""
    refused = select(OutboxMessage.id).where(_IS_RETRYABLE, OutboxMessage.finished_at > since, ~_IS_UNRENDERED)
    return ctx.session.scalar(select(func.count()).select_from(refused.limit(most).subquery())) or 0


def retry(ctx: Context, message: OutboxMessage) -> None:
    """Enqueue a mail that was given up again, unchanged."""
    message.state, message.due_at, message.finished_at = OutboxState.PENDING, ctx.now, None
    message.attempts, message.error = 0, None
    send_after_commit(ctx.session, RELAY_TASK, message.shard)


def mark_replaced(message: OutboxMessage) -> None:
    """Record that another mail replaces one that was given up."""
    message.state, message.error, message.render_data = OutboxState.DROPPED, "replaced by a newer mail", {}


def purge(ctx: Context) -> None:
    """Delete the facts of mails that were given up long ago."""
    past = select(OutboxMessage.id).where(_IS_RETRYABLE, OutboxMessage.finished_at < ctx.now - RETENTION)
    numbers = ctx.session.scalars(past.order_by(OutboxMessage.finished_at).limit(BATCH_SIZE)).all()
    if numbers:
        ctx.session.execute(update(OutboxMessage).where(OutboxMessage.id.in_(numbers)).values(render_data={}))
