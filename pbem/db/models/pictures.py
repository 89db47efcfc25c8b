"""Cache of pictures that are expensive to make; rows expire some time after they were made."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from pbem.db.models.base import Base


class Animation(Base):
    """An animated picture of a finished match in one language; `etag` identifies what it was made from."""

    __tablename__ = "animations"

    match_id: Mapped[str] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    language: Mapped[str] = mapped_column(primary_key=True)
    etag: Mapped[str]
    data: Mapped[bytes]
    created_at: Mapped[datetime] = mapped_column(index=True)
