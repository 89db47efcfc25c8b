"""People: players, their addresses, whom they mute or avoid, their private notes, and invitation blocks."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    ForeignKey,
    Identity,
    Index,
    SmallInteger,
    UniqueConstraint,
)
from sqlalchemy import text as sql
from sqlalchemy.orm import Mapped, mapped_column, relationship

from pbem.db.models.base import Base


class Player(Base):
    """A person, with preferences for mail and pages.

    `text_first` puts the board's text before its picture, `distinct_colours` draws pictures in colours that everybody
    can distinguish. With `attach_replay` the last mail of a match includes the whole match as one file; with
    `compares_with_robot` it says how the strong robot would have done. The URLs of the player's private feeds belong to
    their `feed_generation`.

    No deadline falls between the hours `quiet_from` and `quiet_until` of their zone; if these are equal, there is no
    quiet time. `reminders` is how often they are reminded of a move, `reminder_hour` at which hour, if at a fixed one.
    `auto_vacation` takes vacation days automatically if a deadline would pass. Their moves are held for `hold_minutes`,
    in which they can be undone; `auto_play_forced` lets the service play forced moves. The service plays for a robot
    (`is_robot`), as the edition `robot_edition` of its game's robots does at the level `robot_level`; its name says
    both, and one of a release without levels has neither. Since `bot_since` a program of the player's own plays for
    them, as they have declared; with `rates_as_bot` its matches count for ratings where the host agrees. Since
    `banned_at` the player is banned, by the Ban in force. `shows_rating` lets others see the player's ratings by their
    name. With `weekly_mail` they are mailed as a deal of the week begins. With `push_replaces_mail` a turn is not
    mailed if a device of theirs was notified.
    """

    __tablename__ = "players"

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    name: Mapped[str]
    created_at: Mapped[datetime]
    time_zone: Mapped[str] = mapped_column(server_default="UTC")
    language: Mapped[str] = mapped_column(server_default="en")
    receipts: Mapped[str] = mapped_column(server_default="always")
    mail_frequency: Mapped[str] = mapped_column(server_default="each turn")
    digest_hour: Mapped[int] = mapped_column(SmallInteger, server_default="8")
    compares_with_robot: Mapped[bool] = mapped_column(server_default="false")
    link_only: Mapped[bool] = mapped_column(server_default="false")
    attach_replay: Mapped[bool] = mapped_column(server_default="false")
    mail_policy: Mapped[str] = mapped_column(server_default="token+from")
    text_first: Mapped[bool] = mapped_column(server_default="false")
    distinct_colours: Mapped[bool] = mapped_column(server_default="false")
    feed_generation: Mapped[int] = mapped_column(SmallInteger, server_default="1")
    quiet_from: Mapped[int] = mapped_column(SmallInteger, server_default="22")
    quiet_until: Mapped[int] = mapped_column(SmallInteger, server_default="8")
    reminders: Mapped[str] = mapped_column(server_default="once")
    reminder_hour: Mapped[int | None] = mapped_column(SmallInteger)
    auto_vacation: Mapped[bool] = mapped_column(server_default="true")
    hold_minutes: Mapped[int] = mapped_column(SmallInteger, server_default="0")
    auto_play_forced: Mapped[bool] = mapped_column(server_default="false")
    shows_rating: Mapped[bool] = mapped_column(server_default="false")
    weekly_mail: Mapped[bool] = mapped_column(server_default="false")
    push_replaces_mail: Mapped[bool] = mapped_column(server_default="false")
    is_robot: Mapped[bool] = mapped_column(server_default="false")
    robot_level: Mapped[str | None]
    robot_edition: Mapped[int | None] = mapped_column(SmallInteger)
    bot_since: Mapped[datetime | None]
    rates_as_bot: Mapped[bool] = mapped_column(server_default="false")
    deleted_at: Mapped[datetime | None]
    banned_at: Mapped[datetime | None]

    addresses: Mapped[list[Address]] = relationship(back_populates="player")

    __table_args__ = (
        Index("uq_players_robots", "name", unique=True, postgresql_where=sql("is_robot")),
        Index("ix_players_weekly_mail", "id", postgresql_where=sql("weekly_mail")),
    )


class Address(Base):
    """A mail address of a player, in lower case; verified once its owner has acted on a mail to it.

    New matches and mail of the service go to the `is_main` one, of which a player has at most one. `bounce_score` is
    the bounce score as of `bounce_score_at`; `failing_since` and `failure_reason` show the owner and the other
    players of their matches that mail does not arrive, and why.
    """

    __tablename__ = "addresses"

    email: Mapped[str] = mapped_column(primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"), index=True)
    created_at: Mapped[datetime]
    verified_at: Mapped[datetime | None]
    bounce_score: Mapped[float] = mapped_column(server_default="0")
    bounce_score_at: Mapped[datetime | None]
    failing_since: Mapped[datetime | None]
    failure_reason: Mapped[str | None]
    is_main: Mapped[bool] = mapped_column(server_default="false")

    player: Mapped[Player] = relationship(back_populates="addresses")

    __table_args__ = (Index("uq_addresses_main", "player_id", unique=True, postgresql_where=sql("is_main")),)


class Mute(Base):
    """A player whose chat messages another player does not want to see."""

    __tablename__ = "mutes"

    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"), primary_key=True)
    muted_id: Mapped[int] = mapped_column(ForeignKey("players.id"), primary_key=True)
    muted_at: Mapped[datetime]


class Avoidance(Base):
    """A player with whom another player does not want to sit, by the `name` that they met them under."""

    __tablename__ = "avoidances"

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id", ondelete="CASCADE"))
    avoided_id: Mapped[int] = mapped_column(ForeignKey("players.id", ondelete="CASCADE"), index=True)
    name: Mapped[str]
    created_at: Mapped[datetime]

    __table_args__ = (UniqueConstraint("player_id", "avoided_id"),)


class PrivateNote(Base):
    """A note of a player that nobody else reads: on a match, or on a player by the `name` that they met them under."""

    __tablename__ = "private_notes"

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id", ondelete="CASCADE"))
    match_id: Mapped[str | None] = mapped_column(ForeignKey("matches.id"))
    about_id: Mapped[int | None] = mapped_column(ForeignKey("players.id", ondelete="CASCADE"), index=True)
    name: Mapped[str | None]
    text: Mapped[str]
    changed_at: Mapped[datetime]

    __table_args__ = (
        CheckConstraint("num_nonnulls(match_id, about_id) = 1", name="subject"),
        UniqueConstraint("player_id", "match_id"),
        UniqueConstraint("player_id", "about_id"),
    )


class InvitationBlock(Base):
    """An address that wants no invitations, stored as its SHA-256; from one player, or from anybody (`player_id` 0)."""

    __tablename__ = "invitation_blocks"

    hash: Mapped[bytes] = mapped_column(primary_key=True)
    player_id: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    blocked_at: Mapped[datetime]
