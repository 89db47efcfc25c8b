"""Incoming data: submissions to a seat, mail to the service, polling state, and rate limits."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Identity, Index, SmallInteger
from sqlalchemy import text as sql
from sqlalchemy.orm import Mapped, mapped_column, relationship

from pbem.db.models.base import Base
from pbem.db.models.matches import SeatHolder
from pbem.states import ServiceMailStatus, SubmissionStatus


class Submission(Base):
    """A submission to a seat, stored before its sender gets a confirmation, judged later.

    By mail it is `raw`; by link or API it is `text` with the `claimed_ply` of its sender. By its `idempotency_key` the
    same content sent again is the same submission. `confirmed_at` is when the player confirmed a mail from another
    address, `hold_until` when it will be judged, if its sender may undo it until then.
    """

    __tablename__ = "submissions"

    id: Mapped[str] = mapped_column(primary_key=True)
    match_id: Mapped[str] = mapped_column(ForeignKey("matches.id"))
    holder_id: Mapped[int] = mapped_column(ForeignKey("seat_holders.id"))
    ply: Mapped[int]
    via: Mapped[str]
    text: Mapped[str | None]
    claimed_ply: Mapped[int | None]
    raw: Mapped[bytes | None]
    message_id: Mapped[str | None]
    idempotency_key: Mapped[bytes] = mapped_column(unique=True)
    received_at: Mapped[datetime]
    status: Mapped[SubmissionStatus] = mapped_column(server_default="pending")
    reason: Mapped[str | None]
    judged_at: Mapped[datetime | None]
    attempts: Mapped[int] = mapped_column(SmallInteger, server_default="0")
    confirmed_at: Mapped[datetime | None]
    hold_until: Mapped[datetime | None]

    holder: Mapped[SeatHolder] = relationship()

    __table_args__ = (
        Index("ix_submissions_pending", "match_id", "received_at", "id", postgresql_where=sql("status = 'pending'")),
        Index("ix_submissions_failed", "received_at", "id", postgresql_where=sql("status = 'failed'")),
        Index("ix_submissions_received_at", "received_at", postgresql_using="brin"),
        Index("ix_submissions_message_id", "holder_id", "message_id"),
    )


class ServiceMail(Base):
    """A mail to the service itself (its own address, postmaster, abuse), stored, and processed or forwarded."""

    __tablename__ = "service_mails"

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    recipient: Mapped[str]
    sender: Mapped[str]
    raw: Mapped[bytes]
    idempotency_key: Mapped[bytes] = mapped_column(unique=True)
    received_at: Mapped[datetime]
    status: Mapped[ServiceMailStatus] = mapped_column(server_default="stored")

    __table_args__ = (
        CheckConstraint("status IN ('pending', 'stored', 'done', 'failed')", name="status"),
        Index("ix_service_mails_pending", "id", postgresql_where=sql("status = 'pending'")),
        Index("ix_service_mails_failed", "received_at", "id", postgresql_where=sql("status = 'failed'")),
    )


class ImapCursor(Base):
    """Position in a polled IMAP mailbox: the last UID fetched, within its UIDVALIDITY."""

    __tablename__ = "imap_cursors"

    mailbox: Mapped[str] = mapped_column(primary_key=True)
    uid_validity: Mapped[int] = mapped_column(BigInteger)
    last_uid: Mapped[int] = mapped_column(BigInteger)


class RateLimitWindow(Base):
    """Counter of a rate limit in a time window; used if the broker is unavailable."""

    __tablename__ = "rate_limit_windows"

    key: Mapped[str] = mapped_column(primary_key=True)
    expires_at: Mapped[datetime] = mapped_column(index=True)
    count: Mapped[int]
