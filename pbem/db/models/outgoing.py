"""Outgoing mail: outbox messages, bounce reports, suppressed addresses, and domain backoff."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Identity, Index, SmallInteger, UniqueConstraint
from sqlalchemy import text as sql
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column, relationship

from pbem.db.models.base import Base
from pbem.db.models.matches import SeatHolder
from pbem.states import OutboxState


class OutboxMessage(Base):
    """An outbox message: one mail to one person, inserted in the transaction that causes it.

    `return_path_hash` is the SHA-256 of the token in its envelope sender, by which a bounce is matched. `render_data`
    is the data to render it from, `render_preferences` the reader's preferences when it was sent: together they allow
    rendering it again. The Message-ID is fixed here, so that a mail sent again after a crash is the same mail.
    """

    __tablename__ = "outbox_messages"

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    kind: Mapped[str]
    recipient: Mapped[str] = mapped_column(index=True)
    match_id: Mapped[str | None] = mapped_column(ForeignKey("matches.id"))
    holder_id: Mapped[int | None] = mapped_column(ForeignKey("seat_holders.id"))
    ply: Mapped[int | None]
    idempotency_key: Mapped[str] = mapped_column(unique=True)
    message_id: Mapped[str] = mapped_column(index=True)
    return_path_hash: Mapped[bytes | None] = mapped_column(unique=True)
    in_reply_to: Mapped[str | None]
    render_data: Mapped[dict[str, Any]]
    render_preferences: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    shard: Mapped[int] = mapped_column(SmallInteger)
    created_at: Mapped[datetime]
    due_at: Mapped[datetime]
    state: Mapped[OutboxState] = mapped_column(server_default="pending")
    attempts: Mapped[int] = mapped_column(SmallInteger, server_default="0")
    finished_at: Mapped[datetime | None]
    error: Mapped[str | None]

    holder: Mapped[SeatHolder | None] = relationship()

    __table_args__ = (
        CheckConstraint("state IN ('pending', 'sent', 'dropped', 'failed')", name="state"),
        Index("ix_outbox_messages_thread", "match_id", "holder_id", "id"),
        Index("ix_outbox_messages_pending", "shard", "due_at", "id", postgresql_where=sql("state = 'pending'")),
        Index(
            "ix_outbox_messages_retryable",
            "finished_at",
            postgresql_where=sql("state = 'failed' AND render_data <> '{}'"),
        ),
    )


class BounceReport(Base):
    """A report that a mail bounced or was complained about; each message and kind counts once."""

    __tablename__ = "bounce_reports"

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    outbox_message_id: Mapped[int] = mapped_column(ForeignKey("outbox_messages.id"))
    email: Mapped[str] = mapped_column(index=True)
    kind: Mapped[str]
    status: Mapped[str]
    text: Mapped[str]
    reported_at: Mapped[datetime]

    __table_args__ = (
        UniqueConstraint("outbox_message_id", "kind"),
        CheckConstraint("kind IN ('soft', 'hard', 'complaint', 'policy')", name="kind"),
    )


class Suppression(Base):
    """An address that must not be written to, stored only as its SHA-256 so that it outlives an account."""

    __tablename__ = "suppressions"

    hash: Mapped[bytes] = mapped_column(primary_key=True)
    reason: Mapped[str]
    suppressed_at: Mapped[datetime]
    expires_at: Mapped[datetime | None]

    __table_args__ = (CheckConstraint("reason IN ('bounce', 'complaint', 'unsubscribe', 'manual')", name="reason"),)


class DomainBackoff(Base):
    """A domain that rejects the service as such, not single recipients: its mail is delayed."""

    __tablename__ = "domain_backoffs"

    domain: Mapped[str] = mapped_column(primary_key=True)
    started_at: Mapped[datetime]
    retry_at: Mapped[datetime]
    refusals: Mapped[int]
    last_error: Mapped[str]
