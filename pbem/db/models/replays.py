"""What is kept beside finished matches: what players say of single moves, and what all of them come to."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, ForeignKey, Identity, Index
from sqlalchemy.orm import Mapped, mapped_column

from pbem.db.models.base import Base


class Comment(Base):
    """What somebody who sat at a match says of a step of its replay; step 0 is the deal."""

    __tablename__ = "comments"

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    match_id: Mapped[str] = mapped_column(ForeignKey("matches.id"))
    step: Mapped[int]
    holder_id: Mapped[int] = mapped_column(ForeignKey("holders.id"), index=True)
    text: Mapped[str]
    at: Mapped[datetime]

    __table_args__ = (Index("ix_comments_match_id", "match_id", "step"),)


class Statistic(Base):
    """What all finished matches of a game, or of a player, came to when it was last reckoned."""

    __tablename__ = "statistics"

    subject: Mapped[str] = mapped_column(primary_key=True)
    data: Mapped[dict[str, Any]]
    at: Mapped[datetime]
