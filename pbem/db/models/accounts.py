"""Accounts: sign-in, API keys and what their programs call and follow, feeds, webhooks and push notifications."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Identity, Index, SmallInteger, Text
from sqlalchemy import text as sql
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column, relationship

from pbem.db.models.base import Base
from pbem.db.models.people import Player
from pbem.states import DeliveryState, WebhookForm


class SignInLink(Base):
    """A sign-in link requested for an address; valid once, for some minutes.

    `redirect_path` is the path to redirect to after sign-in.
    """

    __tablename__ = "sign_in_links"

    id: Mapped[str] = mapped_column(primary_key=True)
    email: Mapped[str]
    redirect_path: Mapped[str]
    requested_at: Mapped[datetime] = mapped_column(index=True)
    used_at: Mapped[datetime | None]


class LoginSession(Base):
    """A login session of a player's browser, identified by the SHA-256 of its cookie."""

    __tablename__ = "login_sessions"

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    hash: Mapped[bytes] = mapped_column(unique=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"), index=True)
    user_agent: Mapped[str]
    started_at: Mapped[datetime]
    seen_at: Mapped[datetime]
    ended_at: Mapped[datetime | None]

    player: Mapped[Player] = relationship()


class Passkey(Base):
    """A WebAuthn credential of a player; `sign_count` is its signature counter, if the device keeps one."""

    __tablename__ = "passkeys"

    id: Mapped[bytes] = mapped_column(primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"), index=True)
    name: Mapped[str]
    public_key: Mapped[bytes]
    sign_count: Mapped[int] = mapped_column(BigInteger, server_default="0")
    created_at: Mapped[datetime]
    used_at: Mapped[datetime | None]

    player: Mapped[Player] = relationship()


class ApiKey(Base):
    """An API key of a player with its scopes, identified by its SHA-256."""

    __tablename__ = "api_keys"

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    hash: Mapped[bytes] = mapped_column(unique=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"), index=True)
    name: Mapped[str]
    scopes: Mapped[list[str]] = mapped_column(ARRAY(Text))
    created_at: Mapped[datetime]
    used_at: Mapped[datetime | None]
    revoked_at: Mapped[datetime | None]

    player: Mapped[Player] = relationship()


class IdempotencyKey(Base):
    """A key that a player's program sent with a call, as its SHA-256, and the answer that a repeated call gets again.

    `fingerprint` is the SHA-256 of the call.
    """

    __tablename__ = "idempotency_keys"

    player_id: Mapped[int] = mapped_column(ForeignKey("players.id", ondelete="CASCADE"), primary_key=True)
    hash: Mapped[bytes] = mapped_column(primary_key=True)
    fingerprint: Mapped[bytes]
    status: Mapped[int] = mapped_column(SmallInteger)
    body: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(index=True)


class PlayerEvent(Base):
    """Something that happened in a player's match, for their programs; the same event is one row, by its key.

    One without a player is for all programs that look for a table.

    `xid` is the transaction that inserted it. Rows are read in the order of `xid` and `id`, once no earlier transaction
    is open: so none becomes visible behind one that was read.
    """

    __tablename__ = "player_events"

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    xid: Mapped[int] = mapped_column(BigInteger, server_default=sql("pg_current_xact_id()::text::bigint"))
    player_id: Mapped[int | None] = mapped_column(ForeignKey("players.id", ondelete="CASCADE"))
    kind: Mapped[str]
    idempotency_key: Mapped[str] = mapped_column(unique=True)
    data: Mapped[dict[str, Any]]
    created_at: Mapped[datetime] = mapped_column(index=True)

    __table_args__ = (Index("ix_player_events_order", "player_id", "xid", "id"),)


class Feed(Base):
    """A private feed URL for a player's matches, identified by its SHA-256."""

    __tablename__ = "feeds"

    hash: Mapped[bytes] = mapped_column(primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"), index=True)
    generation: Mapped[int] = mapped_column(SmallInteger)

    player: Mapped[Player] = relationship()


class Webhook(Base):
    """A URL that is called about a match; `failing_since` and `last_error` describe failed calls."""

    __tablename__ = "webhooks"

    id: Mapped[str] = mapped_column(primary_key=True)
    holder_id: Mapped[int] = mapped_column(ForeignKey("seat_holders.id"), index=True)
    url: Mapped[str]
    form: Mapped[WebhookForm] = mapped_column(server_default="json")
    mention: Mapped[str] = mapped_column(server_default="")
    secret: Mapped[bytes]
    created_at: Mapped[datetime]
    failing_since: Mapped[datetime | None]
    last_error: Mapped[str | None]
    disabled_at: Mapped[datetime | None]


class WebhookDelivery(Base):
    """One pending or finished webhook call; the same event is one row, by its `idempotency_key`."""

    __tablename__ = "webhook_deliveries"

    id: Mapped[str] = mapped_column(primary_key=True)
    webhook_id: Mapped[str] = mapped_column(ForeignKey("webhooks.id"), index=True)
    idempotency_key: Mapped[str] = mapped_column(unique=True)
    body: Mapped[str]
    created_at: Mapped[datetime]
    due_at: Mapped[datetime]
    state: Mapped[DeliveryState] = mapped_column(server_default="pending")
    attempts: Mapped[int] = mapped_column(SmallInteger, server_default="0")
    finished_at: Mapped[datetime | None]
    error: Mapped[str | None]

    __table_args__ = (
        CheckConstraint("state IN ('pending', 'delivered', 'failed')", name="state"),
        Index("ix_webhook_deliveries_pending", "due_at", postgresql_where=sql("state = 'pending'")),
    )


class PushSubscription(Base):
    """A browser of a player that is notified of turns by its push service, at the URL `endpoint` (RFC 8030).

    Messages are encrypted for its `public_key` and `secret` (RFC 8291), and signed by the VAPID key that belongs to the
    secret key `signed_by`. It is forgotten as its login session ends.
    """

    __tablename__ = "push_subscriptions"

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id", ondelete="CASCADE"), index=True)
    login_session_id: Mapped[int] = mapped_column(ForeignKey("login_sessions.id", ondelete="CASCADE"), index=True)
    endpoint: Mapped[str] = mapped_column(unique=True)
    public_key: Mapped[bytes]
    secret: Mapped[bytes]
    signed_by: Mapped[str]
    name: Mapped[str]
    created_at: Mapped[datetime]
    used_at: Mapped[datetime | None]
    failing_since: Mapped[datetime | None]
    last_error: Mapped[str | None]
    disabled_at: Mapped[datetime | None]


class PushMessage(Base):
    """One pending or finished notification of a turn, or a test without a seat.

    `mail_key` is the idempotency key of the mail that is not sent if the push service accepts the message.
    """

    __tablename__ = "push_messages"

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    subscription_id: Mapped[int] = mapped_column(ForeignKey("push_subscriptions.id", ondelete="CASCADE"), index=True)
    holder_id: Mapped[int | None] = mapped_column(ForeignKey("seat_holders.id", ondelete="CASCADE"))
    ply: Mapped[int | None]
    idempotency_key: Mapped[str] = mapped_column(unique=True)
    mail_key: Mapped[str | None] = mapped_column(index=True)
    created_at: Mapped[datetime]
    due_at: Mapped[datetime]
    state: Mapped[DeliveryState] = mapped_column(server_default="pending")
    attempts: Mapped[int] = mapped_column(SmallInteger, server_default="0")
    finished_at: Mapped[datetime | None]
    error: Mapped[str | None]

    __table_args__ = (
        CheckConstraint("state IN ('pending', 'delivered', 'failed')", name="state"),
        Index("ix_push_messages_pending", "due_at", postgresql_where=sql("state = 'pending'")),
    )
