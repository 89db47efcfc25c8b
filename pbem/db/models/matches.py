"""Matches: their seats, players, deadlines, offers, chat and log."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    ForeignKey,
    Identity,
    Index,
    PrimaryKeyConstraint,
    SmallInteger,
    UniqueConstraint,
)
from sqlalchemy import text as sql
from sqlalchemy.orm import Mapped, mapped_column, relationship

from pbem.db.models.base import Base
from pbem.db.models.people import Player
from pbem.states import MatchState

_OVER = sql("state = 'over' AND public AND seed IS NOT NULL")


class Match(Base):
    """A match of a game.

    `ply` is the first ply of the current stage and `next_ply` the next unused number; `to_move` are the seats that may
    move now. They repeat the result of replaying the log, so that queries need no replay. `host_id` is the player who
    created the match, `words` the host's text to the invitees, `follows` the match of which this is the rematch or new
    deal. `open_seats` counts seats without a player: a public match with open seats is listed in the lobby. `nudged_at`
    is when the host was last reminded that it waits. `on_time` is what happens to a seat whose time has run out,
    `reliable` the percentage of matches that a player must have finished to take an open seat. `forked_from` is the
    match that this practice match forks, from the position after `forked_step` entries of its log; `imported_at` is
    when a record of another server was imported as this match.
    """

    __tablename__ = "matches"

    id: Mapped[str] = mapped_column(primary_key=True)
    game: Mapped[str]
    edition: Mapped[int] = mapped_column(SmallInteger)
    options: Mapped[dict[str, Any]]
    public: Mapped[bool]
    creator: Mapped[int | None] = mapped_column(SmallInteger)
    host_id: Mapped[int | None] = mapped_column(ForeignKey("players.id"), index=True)
    words: Mapped[str | None]
    clock: Mapped[str] = mapped_column(server_default="none")
    on_time: Mapped[str] = mapped_column(server_default="vote")
    reliable: Mapped[int | None] = mapped_column(SmallInteger)
    rated: Mapped[bool] = mapped_column(server_default="false")
    follows: Mapped[str | None] = mapped_column(ForeignKey("matches.id"), index=True)
    forked_from: Mapped[str | None] = mapped_column(ForeignKey("matches.id"), index=True)
    forked_step: Mapped[int | None]
    imported_at: Mapped[datetime | None]
    open_seats: Mapped[int] = mapped_column(SmallInteger, server_default="0")
    nudged_at: Mapped[datetime | None]
    state: Mapped[MatchState]
    created_at: Mapped[datetime]
    started_at: Mapped[datetime | None]
    ended_at: Mapped[datetime | None]
    secret: Mapped[bytes]
    commitment: Mapped[bytes]
    seed: Mapped[bytes | None]
    head: Mapped[bytes]
    length: Mapped[int] = mapped_column(server_default="0")
    ply: Mapped[int] = mapped_column(server_default="1")
    next_ply: Mapped[int] = mapped_column(server_default="1")
    to_move: Mapped[list[int]] = mapped_column(server_default="{}")
    result: Mapped[dict[str, Any] | None]

    seats: Mapped[list[MatchSeat]] = relationship(back_populates="match", order_by="MatchSeat.seat")

    __table_args__ = (
        CheckConstraint("state IN ('inviting', 'running', 'over')", name="state"),
        Index("ix_matches_running", "id", postgresql_where=sql("state = 'running'")),
        Index("ix_matches_waiting", "created_at", postgresql_where=sql("state = 'inviting'")),
        Index(
            "ix_matches_lobby",
            "created_at",
            postgresql_where=sql("state = 'inviting' AND public AND open_seats > 0"),
        ),
        Index("ix_matches_played", "started_at", postgresql_where=sql("state = 'running' AND public")),
        Index("ix_matches_over", "ended_at", "id", postgresql_where=_OVER),
        Index("ix_matches_over_game", "game", "ended_at", "id", postgresql_where=_OVER),
        Index("ix_matches_ended", "ended_at", postgresql_where=sql("state = 'over' AND seed IS NOT NULL")),
    )


class MatchSeat(Base):
    """A seat of a match with its entropy; the player in it is a SeatHolder.

    `bank` is the remaining time in seconds, if the match has a time bank. `name` is the player's name in an imported
    match, whose seats have no SeatHolder.
    """

    __tablename__ = "seats"

    match_id: Mapped[str] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    default_entropy: Mapped[str]
    entropy: Mapped[str | None]
    accepted_at: Mapped[datetime | None]
    bank: Mapped[int | None]
    name: Mapped[str | None]

    match: Mapped[Match] = relationship(back_populates="seats")


class SeatHolder(Base):
    """A player in a seat, from when until when; tokens belong to a holder and a generation.

    `talks` is whether text below a move goes to the chat, NULL until the player was asked; `proposal` is a premove,
    stored for the turn it was meant for. `late` counts deadlines that passed without a move; `left` is why the player
    left the seat, unless the match ended. For a robot, `returns` is the number of the hand in which the replaced player
    asked to reclaim the seat: they take it in the next one.
    """

    __tablename__ = "holders"

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    match_id: Mapped[str] = mapped_column(ForeignKey("matches.id"))
    seat: Mapped[int] = mapped_column(SmallInteger)
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"))
    name: Mapped[str]
    email: Mapped[str]
    generation: Mapped[int] = mapped_column(SmallInteger, server_default="1")
    talks: Mapped[bool | None]
    proposal: Mapped[str | None]
    late: Mapped[int] = mapped_column(SmallInteger, server_default="0")
    left: Mapped[str | None]
    returns: Mapped[int | None] = mapped_column(SmallInteger)
    mail_stopped_at: Mapped[datetime | None]
    since: Mapped[datetime]
    until: Mapped[datetime | None]

    player: Mapped[Player] = relationship()

    __table_args__ = (
        Index("ix_holders_newest", "player_id", "id"),
        Index("uq_holders_present", "match_id", "seat", unique=True, postgresql_where=sql("until IS NULL")),
        Index("ix_holders_match_id", "match_id"),
    )


class Deadline(Base):
    """The deadline of a seat that may move now, with the time of the request.

    `act_at` is when the clock next has to act: to remind (at `remind_at`; done at `reminded_at`), to report the
    timeout, to end the grace period (at `ends_at`), or to play for the seat (at `play_at`). `extra` is granted time in
    seconds; at `late_at` the players were told that the move is late, or voted to wait for it. Since `sought_at` the
    seat's future is open: a substitute is sought, or the others vote; they have voted to wait `waits` times.
    """

    __tablename__ = "deadlines"

    match_id: Mapped[str] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    ply: Mapped[int]
    asked_at: Mapped[datetime]
    due_at: Mapped[datetime | None] = mapped_column(index=True)
    act_at: Mapped[datetime | None] = mapped_column(index=True)
    extra: Mapped[int] = mapped_column(server_default="0")
    remind_at: Mapped[datetime | None]
    reminded_at: Mapped[datetime | None]
    nudged_at: Mapped[datetime | None]
    late_at: Mapped[datetime | None]
    ends_at: Mapped[datetime | None]
    sought_at: Mapped[datetime | None]
    waits: Mapped[int] = mapped_column(SmallInteger, server_default="0")
    play_at: Mapped[datetime | None]

    __table_args__ = (Index("ix_deadlines_sought", "sought_at", postgresql_where=sql("sought_at IS NOT NULL")),)


class MoveTiming(Base):
    """When a seat was asked for a move and when it moved: the time charged to its clock.

    `automatic` is why the service played the move, if it did.
    """

    __tablename__ = "turns"

    match_id: Mapped[str] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    ply: Mapped[int] = mapped_column(primary_key=True)
    holder_id: Mapped[int] = mapped_column(ForeignKey("holders.id"), index=True)
    asked_at: Mapped[datetime]
    moved_at: Mapped[datetime]
    automatic: Mapped[str | None]


class ClockPause(Base):
    """An interval in which clocks are stopped: those of a match, a player, a mail domain, or all of them.

    `why` is one of `pbem.states.PauseReason`; `by_itself` marks a vacation taken automatically. NULL as its end means
    that it lasts.
    """

    __tablename__ = "standstills"

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    why: Mapped[str]
    match_id: Mapped[str | None] = mapped_column(ForeignKey("matches.id"), index=True)
    player_id: Mapped[int | None] = mapped_column(ForeignKey("players.id"), index=True)
    domain: Mapped[str | None] = mapped_column(index=True)
    begin_at: Mapped[datetime]
    end_at: Mapped[datetime | None]
    by_itself: Mapped[bool] = mapped_column(server_default="false")

    __table_args__ = (
        Index(
            "ix_standstills_all",
            "begin_at",
            postgresql_where=sql("match_id IS NULL AND player_id IS NULL AND domain IS NULL"),
        ),
    )


class Offer(Base):
    """An offer of a seat to the other players, with the seats that have agreed; it is open until the next move."""

    __tablename__ = "offers"

    match_id: Mapped[str] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    kind: Mapped[str] = mapped_column(primary_key=True)
    seat: Mapped[int] = mapped_column(SmallInteger)
    next_ply: Mapped[int]
    detail: Mapped[dict[str, Any]]
    agreed: Mapped[list[int]]
    at: Mapped[datetime]


class Vote(Base):
    """A player's vote on another seat whose time has run out."""

    __tablename__ = "votes"

    match_id: Mapped[str] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    about: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    holder_id: Mapped[int] = mapped_column(ForeignKey("holders.id"), primary_key=True)
    choice: Mapped[str]
    at: Mapped[datetime]


class Plan(Base):
    """Conditional moves of a player, as parsed; they apply to stages after `stage`.

    `length` is the length of the match's log when the plan was made or last played a move; `missed` is why lines were
    dropped, not yet reported to the player.
    """

    __tablename__ = "plans"

    holder_id: Mapped[int] = mapped_column(ForeignKey("holders.id"), primary_key=True)
    lines: Mapped[dict[str, Any]]
    stage: Mapped[int]
    length: Mapped[int]
    missed: Mapped[str]
    made_at: Mapped[datetime]


class Token(Base):
    """An issued link or reply address, identified by its SHA-256; ply 0 is the invitation."""

    __tablename__ = "tokens"

    hash: Mapped[bytes] = mapped_column(primary_key=True)
    kind: Mapped[str]
    holder_id: Mapped[int] = mapped_column(ForeignKey("holders.id"), index=True)
    ply: Mapped[int]
    generation: Mapped[int] = mapped_column(SmallInteger)
    issued_at: Mapped[datetime]

    holder: Mapped[SeatHolder] = relationship()


_ENTRY = ("ply", "seat", "move", "event", "by", "detail", "at", "salt")


class LogEntry(Base):
    """An entry of a match's chain: a move (with a ply) or an event.

    The primary key includes the whole row: entries of one match are written weeks apart and scattered over the table,
    and adjacent only in the index. Therefore an entry is limited to about 2,500 bytes.
    """

    __tablename__ = "log"

    match_id: Mapped[str] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    ply: Mapped[int | None]
    seat: Mapped[int | None] = mapped_column(SmallInteger)
    move: Mapped[str | None]
    event: Mapped[str | None]
    by: Mapped[str | None]
    detail: Mapped[dict[str, Any] | None]
    at: Mapped[datetime]
    salt: Mapped[bytes]

    __table_args__ = (
        PrimaryKeyConstraint("match_id", "number", postgresql_include=_ENTRY),
        UniqueConstraint("match_id", "ply"),
        CheckConstraint("(ply IS NULL) = (move IS NULL) AND (ply IS NULL) = (event IS NOT NULL)", name="kind"),
    )


class ChatMessage(Base):
    """A chat message of a seat, with a move or alone; a submission has at most one."""

    __tablename__ = "messages"

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    match_id: Mapped[str] = mapped_column(ForeignKey("matches.id"), index=True)
    holder_id: Mapped[int] = mapped_column(ForeignKey("holders.id"))
    seat: Mapped[int] = mapped_column(SmallInteger)
    ply: Mapped[int]
    text: Mapped[str]
    submission_id: Mapped[str | None] = mapped_column(unique=True)
    at: Mapped[datetime]


class AbuseReport(Base):
    """A player's report of another in the match to the operator, with the reported text as it was."""

    __tablename__ = "reports"

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    match_id: Mapped[str] = mapped_column(ForeignKey("matches.id"), index=True)
    holder_id: Mapped[int] = mapped_column(ForeignKey("holders.id"))
    about_id: Mapped[int] = mapped_column(ForeignKey("holders.id"))
    message_id: Mapped[int | None] = mapped_column(ForeignKey("messages.id"))
    said: Mapped[str | None]
    text: Mapped[str]
    at: Mapped[datetime]

    __table_args__ = (UniqueConstraint("holder_id", "about_id", "message_id", postgresql_nulls_not_distinct=True),)
