"""Pictures that took long to make, kept until nobody has asked for them for some time."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from pbem.db.models.base import Base


class Animation(Base):
    """A finished match as an animated picture in one language; `mark` names what it was made from."""

    __tablename__ = "animations"

    match_id: Mapped[str] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    language: Mapped[str] = mapped_column(primary_key=True)
    mark: Mapped[str]
    data: Mapped[bytes]
    made_at: Mapped[datetime] = mapped_column(index=True)
