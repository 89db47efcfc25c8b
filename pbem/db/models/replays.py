"""What is kept beside finished matches: what players say of single moves, and what all of them come to."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, ForeignKey, Identity, Index
from sqlalchemy import text as sql
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
    """What the finished matches of a game, or of a player, came to when it was last reckoned.

    It is `stale` once more matches have ended; the row called `watermark` tells up to when those were looked for.
    """

    __tablename__ = "statistics"

    subject: Mapped[str] = mapped_column(primary_key=True)
    data: Mapped[dict[str, Any]]
    at: Mapped[datetime]
    stale: Mapped[bool] = mapped_column(server_default="false")

    __table_args__ = (Index("ix_statistics_stale", "subject", postgresql_where=sql("stale")),)
