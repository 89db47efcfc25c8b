"""The service itself: the signs of life of its parts."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy.orm import Mapped, mapped_column

from pbem.db.models.base import Base


class Pulse(Base):
    """The last sign of life of a part of the service, for /readyz and the operator."""

    __tablename__ = "pulses"

    part: Mapped[str] = mapped_column(primary_key=True)
    at: Mapped[datetime]
