"""People: players and the addresses that they are known by."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import BigInteger, ForeignKey, Identity, SmallInteger
from sqlalchemy.orm import Mapped, mapped_column, relationship

from pbem.db.models.base import Base


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
    """A mail address of a player, in lower case; verified once its owner has acted on a mail to it.

    `score` is what reports of failed delivery have added up to by `scored_at`; `failing_since` and
    `failure` tell its owner and their tables that mail does not arrive, and why.
    """

    __tablename__ = "addresses"

    email: Mapped[str] = mapped_column(primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"), index=True)
    created_at: Mapped[datetime]
    verified_at: Mapped[datetime | None]
    score: Mapped[float] = mapped_column(server_default="0")
    scored_at: Mapped[datetime | None]
    failing_since: Mapped[datetime | None]
    failure: Mapped[str | None]

    player: Mapped[Player] = relationship(back_populates="addresses")
