"""Replays of finished matches: comments on them, animations, and statistics."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, ForeignKey, Identity, Index
from sqlalchemy import text as sql
from sqlalchemy.orm import Mapped, mapped_column

from pbem.db.models.base import Base


class Comment(Base):
    """A comment of a player of the match on a step of its replay; step 0 is the deal."""

    __tablename__ = "comments"

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    match_id: Mapped[str] = mapped_column(ForeignKey("matches.id"))
    step: Mapped[int]
    holder_id: Mapped[int] = mapped_column(ForeignKey("seat_holders.id"), index=True)
    text: Mapped[str]
    commented_at: Mapped[datetime]

    __table_args__ = (Index("ix_comments_match_id", "match_id", "step"),)


class Animation(Base):
    """An animated picture of a finished match in one language; `etag` identifies what it was made from.

    It is cached, since it is expensive to make, and expires some time after it was made.
    """

    __tablename__ = "animations"

    match_id: Mapped[str] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    language: Mapped[str] = mapped_column(primary_key=True)
    etag: Mapped[str]
    data: Mapped[bytes]
    created_at: Mapped[datetime] = mapped_column(index=True)


class Statistic(Base):
    """Statistics of the finished matches of a game or a player, as last computed.

    It is `is_stale` once more matches have ended; the row named `watermark` stores up to when ended matches were
    processed.
    """

    __tablename__ = "statistics"

    subject: Mapped[str] = mapped_column(primary_key=True)
    data: Mapped[dict[str, Any]]
    computed_at: Mapped[datetime]
    is_stale: Mapped[bool] = mapped_column(server_default="false")

    __table_args__ = (Index("ix_statistics_stale", "subject", postgresql_where=sql("is_stale")),)
