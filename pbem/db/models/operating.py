"""Operators, their audit log, and bans."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, ForeignKey, Identity, Index
from sqlalchemy import text as sql
from sqlalchemy.orm import Mapped, mapped_column, relationship

from pbem.db.models.base import Base
from pbem.db.models.people import Player


class Operator(Base):
    """A player who operates the service, until dismissed; the row stays, since the audit log refers to it.

    `name` is how other operators see them. `totp_secret` is the encrypted secret of the second factor, valid since
    `totp_confirmed_at`; `last_totp_step` prevents a code from being used twice. An operator without one uses a passkey.
    """

    __tablename__ = "operators"

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"), unique=True)
    name: Mapped[str]
    totp_secret: Mapped[bytes | None]
    totp_confirmed_at: Mapped[datetime | None]
    last_totp_step: Mapped[int | None] = mapped_column(BigInteger)
    appointed_at: Mapped[datetime]
    appointed_by: Mapped[str]
    dismissed_at: Mapped[datetime | None]

    player: Mapped[Player] = relationship()


class AuditLogEntry(Base):
    """An operator's action; the database lets nobody change or delete it.

    Therefore it holds no address and no player's name: `target_kind` and `target_id` identify the target, such as
    `player` and its number. `actor` is `operator 3` or `shell:root`, `request_id` the request ID in the logs.
    """

    __tablename__ = "audit_log"

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    acted_at: Mapped[datetime]
    actor: Mapped[str]
    operator_id: Mapped[int | None] = mapped_column(ForeignKey("operators.id"), index=True)
    action: Mapped[str]
    target_kind: Mapped[str]
    target_id: Mapped[str]
    reason: Mapped[str]
    detail: Mapped[dict[str, Any]]
    request_id: Mapped[str | None]

    __table_args__ = (Index("ix_audit_log_target", "target_kind", "target_id", "id"),)


class Ban(Base):
    """A ban of a player, with the sentence shown to them; active until `lifted_at`."""

    __tablename__ = "bans"

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"))
    message: Mapped[str]
    banned_at: Mapped[datetime]
    lifted_at: Mapped[datetime | None]

    __table_args__ = (
        Index("uq_bans_active", "player_id", unique=True, postgresql_where=sql("lifted_at IS NULL")),
        Index("ix_bans_player_id", "player_id"),
    )
