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


class OutboxMessage(Base):
    """An outbox message: one mail to one person, inserted in the transaction that causes it.

    `once` is the idempotency key. `return_path` is the SHA-256 of the token in its envelope sender, by which a bounce
    is matched. `facts` is the data to render it from, `sent_as` the reader's preferences when it was sent: together
    they allow rendering it again. The Message-ID is fixed here, so that a mail sent again after a crash is the same
    mail.
    """

    __tablename__ = "notices"

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    kind: Mapped[str]
    recipient: Mapped[str] = mapped_column(index=True)
    match_id: Mapped[str | None] = mapped_column(ForeignKey("matches.id"))
    holder_id: Mapped[int | None] = mapped_column(ForeignKey("holders.id"))
    ply: Mapped[int | None]
    once: Mapped[str] = mapped_column(unique=True)
    message_id: Mapped[str] = mapped_column(index=True)
    return_path: Mapped[bytes | None] = mapped_column(unique=True)
    answers: Mapped[str | None]
    facts: Mapped[dict[str, Any]]
    sent_as: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    shard: Mapped[int] = mapped_column(SmallInteger)
    created_at: Mapped[datetime]
    due_at: Mapped[datetime]
    state: Mapped[str] = mapped_column(server_default="owed")
    attempts: Mapped[int] = mapped_column(SmallInteger, server_default="0")
    settled_at: Mapped[datetime | None]
    error: Mapped[str | None]

    holder: Mapped[SeatHolder | None] = relationship()

    __table_args__ = (
        CheckConstraint("state IN ('owed', 'sent', 'dropped', 'failed')", name="state"),
        Index("ix_notices_thread", "match_id", "holder_id", "id"),
        Index("ix_notices_owed", "shard", "due_at", "id", postgresql_where=sql("state = 'owed'")),
        Index("ix_notices_given_up", "settled_at", postgresql_where=sql("state = 'failed' AND facts <> '{}'")),
    )


class BounceReport(Base):
    """A report that a mail bounced or was complained about; each message and kind counts once."""

    __tablename__ = "failures"

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    notice_id: Mapped[int] = mapped_column(ForeignKey("notices.id"))
    email: Mapped[str] = mapped_column(index=True)
    kind: Mapped[str]
    status: Mapped[str]
    text: Mapped[str]
    at: Mapped[datetime]

    __table_args__ = (
        UniqueConstraint("notice_id", "kind"),
        CheckConstraint("kind IN ('soft', 'hard', 'complaint', 'policy')", name="kind"),
    )


class Suppression(Base):
    """An address that must not be written to, stored only as its SHA-256 so that it outlives an account."""

    __tablename__ = "suppressions"

    hash: Mapped[bytes] = mapped_column(primary_key=True)
    reason: Mapped[str]
    since: Mapped[datetime]
    until: Mapped[datetime | None]

    __table_args__ = (CheckConstraint("reason IN ('bounce', 'complaint', 'unsubscribe', 'manual')", name="reason"),)


class DomainBackoff(Base):
    """A domain that rejects the service as such, not single recipients: its mail is delayed."""

    __tablename__ = "domains"

    domain: Mapped[str] = mapped_column(primary_key=True)
    since: Mapped[datetime]
    until: Mapped[datetime]
    refusals: Mapped[int]
    text: Mapped[str]
