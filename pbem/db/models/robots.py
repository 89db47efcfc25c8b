"""What robots think about, and what came of it."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Index, SmallInteger
from sqlalchemy import text as sql
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from pbem.db.models.base import Base


class Thought(Base):
    """A robot's turn to think about, by the seat and the stage of a match; `level` and `edition` are the robot's.

    It is claimed no earlier than `due_at`. When it is done it has the `move`, the number of `playouts` and the moves
    that were `tried`. One that was not done in time `is_late`: the move that the game suggests was played instead.
    """

    __tablename__ = "thoughts"

    match_id: Mapped[str] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    ply: Mapped[int] = mapped_column(primary_key=True)
    level: Mapped[str]
    edition: Mapped[int] = mapped_column(SmallInteger)
    asked_at: Mapped[datetime]
    due_at: Mapped[datetime]
    claimed_at: Mapped[datetime | None]
    done_at: Mapped[datetime | None]
    move: Mapped[str | None]
    playouts: Mapped[int | None]
    tried: Mapped[list[Any] | None] = mapped_column(JSONB)
    is_late: Mapped[bool] = mapped_column(server_default="false")

    __table_args__ = (Index("ix_thoughts_waiting", "due_at", postgresql_where=sql("done_at IS NULL")),)


class Analysis(Base):
    """An analysis of a finished match by a robot of an `edition`, and how far it has got; `kind` says which.

    It is made in chunks: `work` is where the next one goes on, and `attempts` counts how often that one has failed.
    When it is done it has a `result`, or none if it has failed. `seconds` is the processor time that it took.
    """

    __tablename__ = "analyses"

    match_id: Mapped[str] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    kind: Mapped[str] = mapped_column(primary_key=True)
    edition: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    asked_by: Mapped[int | None] = mapped_column(ForeignKey("players.id", ondelete="SET NULL"), index=True)
    asked_at: Mapped[datetime]
    due_at: Mapped[datetime]
    claimed_at: Mapped[datetime | None]
    done_at: Mapped[datetime | None]
    attempts: Mapped[int] = mapped_column(SmallInteger, server_default="0")
    steps_done: Mapped[int] = mapped_column(server_default="0")
    steps: Mapped[int] = mapped_column(server_default="0")
    work: Mapped[dict[str, Any]] = mapped_column(server_default="{}")
    result: Mapped[dict[str, Any] | None]
    seconds: Mapped[float] = mapped_column(server_default="0")

    __table_args__ = (
        CheckConstraint("kind IN ('par', 'looking-back')", name="kind"),
        Index("ix_analyses_waiting", "due_at", postgresql_where=sql("done_at IS NULL")),
    )
