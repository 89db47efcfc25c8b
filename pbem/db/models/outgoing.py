"""What goes out, and what becomes of it: notices, delivery failures, and addresses not to write to."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Identity, Index, SmallInteger, UniqueConstraint
from sqlalchemy import text as sql
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column, relationship

from pbem.db.models.base import Base
from pbem.db.models.matches import Holder


class Notice(Base):
    """One mail owed to one person, written in the transaction that made it due.

    `once` is unique: nothing is told twice. `return_path` is the SHA-256 of the token of its envelope
    sender, by which a report of its failed delivery is known. `facts` is what the mail is made of, `sent_as` what its
    reader had chosen when it was sent: by both it can be written again for them. Its Message-ID is fixed here, so
    that a mail sent again after a crash is the same mail.
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

    holder: Mapped[Holder | None] = relationship()

    __table_args__ = (
        CheckConstraint("state IN ('owed', 'sent', 'dropped', 'failed')", name="state"),
        Index("ix_notices_thread", "match_id", "holder_id", "id"),
        Index("ix_notices_owed", "shard", "due_at", "id", postgresql_where=sql("state = 'owed'")),
        Index("ix_notices_given_up", "settled_at", postgresql_where=sql("state = 'failed' AND facts <> '{}'")),
    )


class Failure(Base):
    """A report that a mail of ours did not arrive, or was complained about; each notice and kind counts once."""

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
    """An address that is not to be written to, known by its SHA-256 only, so that it outlives an account."""

    __tablename__ = "suppressions"

    hash: Mapped[bytes] = mapped_column(primary_key=True)
    reason: Mapped[str]
    since: Mapped[datetime]
    until: Mapped[datetime | None]

    __table_args__ = (CheckConstraint("reason IN ('bounce', 'complaint', 'unsubscribe', 'manual')", name="reason"),)


class Domain(Base):
    """A domain that refuses us for what we are, not for whom we write to: its mails wait."""

    __tablename__ = "domains"

    domain: Mapped[str] = mapped_column(primary_key=True)
    since: Mapped[datetime]
    until: Mapped[datetime]
    refusals: Mapped[int]
    text: Mapped[str]
