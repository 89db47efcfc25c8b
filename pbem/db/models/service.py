"""The service itself: the signs of life of its parts, and the times when it was brought back to an older state."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import BigInteger, Identity
from sqlalchemy.orm import Mapped, mapped_column

from pbem.db.models.base import Base


class Pulse(Base):
    """The last sign of life of a part of the service, for /readyz and the operator."""

    __tablename__ = "pulses"

    part: Mapped[str] = mapped_column(primary_key=True)
    at: Mapped[datetime]


class Restoration(Base):
    """That the database was brought back to an older state: what happened since `lost_after` is lost.

    Matches are told of it in the order of their names; `told_to` is the last one that was, `told` how many were, and
    `done_at` when all had been.
    """

    __tablename__ = "restorations"

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    lost_after: Mapped[datetime]
    restored_at: Mapped[datetime]
    told_to: Mapped[str] = mapped_column(server_default="")
    told: Mapped[int] = mapped_column(server_default="0")
    done_at: Mapped[datetime | None]
