"""The tables: people, matches and their logs, what was sent in, and what is owed to whom."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    DateTime,
    ForeignKey,
    Identity,
    Index,
    LargeBinary,
    MetaData,
    SmallInteger,
    Text,
    UniqueConstraint,
)
from sqlalchemy import text as sql
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship


class Base(DeclarativeBase):
    """Holds the metadata, with names for all constraints so that migrations can speak of them."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map: ClassVar[dict[Any, Any]] = {
        str: Text,
        bytes: LargeBinary,
        datetime: DateTime(timezone=True),
        dict[str, Any]: JSONB,
        list[int]: ARRAY(SmallInteger),
    }


class Player(Base):
    """A person, with the choices that shape what they are sent."""

    __tablename__ = "players"

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    name: Mapped[str]
    created_at: Mapped[datetime]
    zone: Mapped[str] = mapped_column(server_default="UTC")
    language: Mapped[str] = mapped_column(server_default="en")
    receipts: Mapped[str] = mapped_column(server_default="always")
    mail_when: Mapped[str] = mapped_column(server_default="each turn")
    digest_hour: Mapped[int] = mapped_column(SmallInteger, server_default="8")
    link_only: Mapped[bool] = mapped_column(server_default="false")
    mail_policy: Mapped[str] = mapped_column(server_default="token+from")

    addresses: Mapped[list[Address]] = relationship(back_populates="player")


class Address(Base):
    """A mail address of a player, in lower case; verified once its owner has acted on a mail to it."""

    __tablename__ = "addresses"

    email: Mapped[str] = mapped_column(primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"), index=True)
    created_at: Mapped[datetime]
    verified_at: Mapped[datetime | None]

    player: Mapped[Player] = relationship(back_populates="addresses")


class Match(Base):
    """One playing of a game.

    `ply` is the first ply of the present stage and `next_ply` the next unused number; `to_move` are the
    seats that may act now. They repeat what a replay of the log says, so that nobody need replay to ask.
    """

    __tablename__ = "matches"

    id: Mapped[str] = mapped_column(primary_key=True)
    game: Mapped[str]
    edition: Mapped[int] = mapped_column(SmallInteger)
    options: Mapped[dict[str, Any]]
    public: Mapped[bool]
    creator: Mapped[int | None] = mapped_column(SmallInteger)
    state: Mapped[str]
    created_at: Mapped[datetime]
    started_at: Mapped[datetime | None]
    ended_at: Mapped[datetime | None]
    secret: Mapped[bytes]
    commitment: Mapped[bytes]
    seed: Mapped[bytes | None]
    head: Mapped[bytes]
    length: Mapped[int] = mapped_column(server_default="0")
    ply: Mapped[int] = mapped_column(server_default="1")
    next_ply: Mapped[int] = mapped_column(server_default="1")
    to_move: Mapped[list[int]] = mapped_column(server_default="{}")
    result: Mapped[dict[str, Any] | None]

    seats: Mapped[list[MatchSeat]] = relationship(back_populates="match", order_by="MatchSeat.seat")

    __table_args__ = (
        CheckConstraint("state IN ('inviting', 'running', 'over')", name="state"),
        Index("ix_matches_running", "id", postgresql_where=sql("state = 'running'")),
    )


class MatchSeat(Base):
    """A place at a match, with the entropy that belongs to it; who sits there is a Holder."""

    __tablename__ = "seats"

    match_id: Mapped[str] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    default_entropy: Mapped[str]
    entropy: Mapped[str | None]
    accepted_at: Mapped[datetime | None]

    match: Mapped[Match] = relationship(back_populates="seats")


class Holder(Base):
    """Who sits at a seat, from when, until when; tokens belong to a holder and a generation."""

    __tablename__ = "holders"

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    match_id: Mapped[str] = mapped_column(ForeignKey("matches.id"))
    seat: Mapped[int] = mapped_column(SmallInteger)
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"), index=True)
    name: Mapped[str]
    email: Mapped[str]
    generation: Mapped[int] = mapped_column(SmallInteger, server_default="1")
    draw_offered_at: Mapped[int | None]
    since: Mapped[datetime]
    until: Mapped[datetime | None]

    player: Mapped[Player] = relationship()

    __table_args__ = (
        Index("uq_holders_present", "match_id", "seat", unique=True, postgresql_where=sql("until IS NULL")),
    )


class Token(Base):
    """A link or reply address that was given out, known by its SHA-256 only; ply 0 is the invitation."""

    __tablename__ = "tokens"

    hash: Mapped[bytes] = mapped_column(primary_key=True)
    kind: Mapped[str]
    holder_id: Mapped[int] = mapped_column(ForeignKey("holders.id"), index=True)
    ply: Mapped[int]
    generation: Mapped[int] = mapped_column(SmallInteger)
    issued_at: Mapped[datetime]

    holder: Mapped[Holder] = relationship()


class LogEntry(Base):
    """An entry of a match's chain: a move (with a ply) or an event."""

    __tablename__ = "log"

    match_id: Mapped[str] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    ply: Mapped[int | None]
    seat: Mapped[int | None] = mapped_column(SmallInteger)
    move: Mapped[str | None]
    event: Mapped[str | None]
    by: Mapped[str | None]
    detail: Mapped[dict[str, Any] | None]
    at: Mapped[datetime]
    salt: Mapped[bytes]

    __table_args__ = (
        UniqueConstraint("match_id", "ply"),
        CheckConstraint("(ply IS NULL) = (move IS NULL) AND (ply IS NULL) = (event IS NOT NULL)", name="kind"),
    )


class Submission(Base):
    """What somebody sent to a seat, kept before the sender hears that it was taken, judged later.

    By mail it is `raw`, by link or API it is `text` and the `said_ply`. `once` is unique: the same thing
    sent again is the same submission.
    """

    __tablename__ = "submissions"

    id: Mapped[str] = mapped_column(primary_key=True)
    match_id: Mapped[str] = mapped_column(ForeignKey("matches.id"))
    holder_id: Mapped[int] = mapped_column(ForeignKey("holders.id"))
    ply: Mapped[int]
    via: Mapped[str]
    text: Mapped[str | None]
    said_ply: Mapped[int | None]
    raw: Mapped[bytes | None]
    message_id: Mapped[str | None]
    once: Mapped[bytes] = mapped_column(unique=True)
    received_at: Mapped[datetime]
    status: Mapped[str] = mapped_column(server_default="pending")
    reason: Mapped[str | None]
    judged_at: Mapped[datetime | None]
    attempts: Mapped[int] = mapped_column(SmallInteger, server_default="0")

    holder: Mapped[Holder] = relationship()

    __table_args__ = (
        Index("ix_submissions_pending", "match_id", "received_at", "id", postgresql_where=sql("status = 'pending'")),
        Index("ix_submissions_message_id", "holder_id", "message_id"),
    )


class Letter(Base):
    """A mail to the service itself (its own address, postmaster, abuse), kept and forwarded."""

    __tablename__ = "letters"

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    recipient: Mapped[str]
    sender: Mapped[str]
    raw: Mapped[bytes]
    once: Mapped[bytes] = mapped_column(unique=True)
    received_at: Mapped[datetime]


class Notice(Base):
    """One mail owed to one person, written in the transaction that made it due.

    `once` is unique: nothing is told twice. `facts` is what the mail is made of; its Message-ID is fixed
    here, so that a mail sent again after a crash is the same mail.
    """

    __tablename__ = "notices"

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    kind: Mapped[str]
    recipient: Mapped[str]
    match_id: Mapped[str | None] = mapped_column(ForeignKey("matches.id"), index=True)
    holder_id: Mapped[int | None] = mapped_column(ForeignKey("holders.id"))
    ply: Mapped[int | None]
    once: Mapped[str] = mapped_column(unique=True)
    message_id: Mapped[str]
    answers: Mapped[str | None]
    facts: Mapped[dict[str, Any]]
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
        Index("ix_notices_owed", "shard", "due_at", "id", postgresql_where=sql("state = 'owed'")),
    )


class Pulse(Base):
    """The last sign of life of a part of the service, for /readyz and the operator."""

    __tablename__ = "pulses"

    part: Mapped[str] = mapped_column(primary_key=True)
    at: Mapped[datetime]
