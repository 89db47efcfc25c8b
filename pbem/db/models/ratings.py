"""Ratings of players, and what each match did to them."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, Index, SmallInteger
from sqlalchemy.orm import Mapped, mapped_column

from pbem.db.models.base import Base


class PlayerRating(Base):
    """A player's rating in a game after so many matches, the last of which ended `at`."""

    __tablename__ = "ratings"

    player_id: Mapped[int] = mapped_column(ForeignKey("players.id", ondelete="CASCADE"), primary_key=True)
    game: Mapped[str] = mapped_column(primary_key=True)
    mu: Mapped[float]
    sigma: Mapped[float]
    matches: Mapped[int]
    at: Mapped[datetime]


class RatingChange(Base):
    """What a match that ended `at` did to a player's rating, with how many matches it has counted since.

    `rank` is the player's place, 0 for the best; the rating before it is that after their rest.
    """

    __tablename__ = "rating_changes"

    match_id: Mapped[str] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id", ondelete="CASCADE"), primary_key=True)
    game: Mapped[str]
    seat: Mapped[int] = mapped_column(SmallInteger)
    rank: Mapped[int] = mapped_column(SmallInteger)
    lost_on_time: Mapped[bool]
    mu_before: Mapped[float]
    sigma_before: Mapped[float]
    mu_after: Mapped[float]
    sigma_after: Mapped[float]
    matches: Mapped[int]
    at: Mapped[datetime]

    __table_args__ = (
        Index("ix_rating_changes_player", "player_id", "game", "at"),
        Index("ix_rating_changes_at", "at", "match_id"),
    )
