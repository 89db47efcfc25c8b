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
from pbem.states import DeadlinePhase, MatchState, Withheld

_OVER = sql("state = 'over' AND public AND seed IS NOT NULL")
_TO_RATE = sql("state = 'over' AND rated AND seed IS NOT NULL AND rated_at IS NULL")


class Match(Base):
    """A match of a game.

    `ply` is the first ply of the current stage and `next_ply` the next unused number; `to_move` are the seats that may
    move now. They repeat the result of replaying the log, so that queries need no replay. `host_id` is the player who
    created the match, `invitation_text` the host's text to the invitees, `previous_match_id` the match of which this is
    the rematch or new deal. `open_seats` counts seats without a player: a public match with open seats is listed in the
    lobby. `host_reminded_at` is when the host was last reminded that it waits. `timeout_policy` is what happens to a
    seat whose time has run out, `min_reliability` the percentage of matches that a player must have finished to take an
    open seat; `bots` is whether bots may take one, and their matches be rated. With `open_if_declined`, the seat of an
    invitee who declines is open to others in a new match. `forked_from_id` is the match that this
    practice match forks, from the position after `forked_step` entries of its log; `imported_at` is when a record of
    another server was imported as this match. If its result is meant to be rated (`rated`), `rated_at` is when that was
    done, and `unrated_reason` why it counts for nobody; since `annulled_at` an operator has annulled it for ratings.
    `event_id` is the event that it belongs to; `set_id` and `set_place` are the deal that it shares with others, and
    its place among them, from 1; until that deal is open, `withheld` is what nobody else may see of it.
    """

    __tablename__ = "matches"

    id: Mapped[str] = mapped_column(primary_key=True)
    game: Mapped[str]
    edition: Mapped[int] = mapped_column(SmallInteger)
    options: Mapped[dict[str, Any]]
    public: Mapped[bool]
    creator_seat: Mapped[int | None] = mapped_column(SmallInteger)
    host_id: Mapped[int | None] = mapped_column(ForeignKey("players.id"), index=True)
    invitation_text: Mapped[str | None]
    time_control: Mapped[str] = mapped_column(server_default="none")
    timeout_policy: Mapped[str] = mapped_column(server_default="vote")
    min_reliability: Mapped[int | None] = mapped_column(SmallInteger)
    bots: Mapped[str] = mapped_column(server_default="none")
    open_if_declined: Mapped[bool] = mapped_column(server_default="false")
    rated: Mapped[bool] = mapped_column(server_default="false")
    previous_match_id: Mapped[str | None] = mapped_column(ForeignKey("matches.id"), index=True)
    forked_from_id: Mapped[str | None] = mapped_column(ForeignKey("matches.id"), index=True)
    forked_step: Mapped[int | None]
    imported_at: Mapped[datetime | None]
    open_seats: Mapped[int] = mapped_column(SmallInteger, server_default="0")
    host_reminded_at: Mapped[datetime | None]
    state: Mapped[MatchState]
    created_at: Mapped[datetime]
    started_at: Mapped[datetime | None]
    ended_at: Mapped[datetime | None]
    secret: Mapped[bytes]
    commitment: Mapped[bytes]
    seed: Mapped[bytes | None]
    chain_head: Mapped[bytes]
    log_length: Mapped[int] = mapped_column(server_default="0")
    ply: Mapped[int] = mapped_column(server_default="1")
    next_ply: Mapped[int] = mapped_column(server_default="1")
    to_move: Mapped[list[int]] = mapped_column(server_default="{}")
    result: Mapped[dict[str, Any] | None]
    rated_at: Mapped[datetime | None]
    unrated_reason: Mapped[str | None]
    annulled_at: Mapped[datetime | None]
    event_id: Mapped[int | None] = mapped_column(ForeignKey("events.id"), index=True)
    set_id: Mapped[str | None] = mapped_column(ForeignKey("deal_sets.id"), index=True)
    set_place: Mapped[int | None]
    withheld: Mapped[Withheld | None]

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
        Index("ix_matches_running_public", "started_at", postgresql_where=sql("state = 'running' AND public")),
        Index("ix_matches_over", "ended_at", "id", postgresql_where=_OVER),
        Index("ix_matches_over_game", "game", "ended_at", "id", postgresql_where=_OVER),
        Index("ix_matches_ended", "ended_at", postgresql_where=sql("state = 'over' AND seed IS NOT NULL")),
        Index("ix_matches_to_rate", "ended_at", "id", postgresql_where=_TO_RATE),
    )


class MatchSeat(Base):
    """A seat of a match with its entropy; the player in it is a SeatHolder.

    `bank_seconds` is the remaining time in seconds, if the match has a time bank. `imported_name` is the player's name
    in an imported match, whose seats have no SeatHolder.
    """

    __tablename__ = "match_seats"

    match_id: Mapped[str] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    default_entropy: Mapped[str]
    entropy: Mapped[str | None]
    accepted_at: Mapped[datetime | None]
    bank_seconds: Mapped[int | None]
    imported_name: Mapped[str | None]

    match: Mapped[Match] = relationship(back_populates="seats")


class SeatHolder(Base):
    """A player in a seat, from when until when; tokens belong to a holder and a generation.

    `shares_text` is whether text below a move goes to the chat, NULL until the player was asked; `premove` is a
    premove, stored for the turn it was meant for. `late_moves` counts deadlines that passed without a move;
    `leave_reason` is why the player left the seat, unless the match ended. For a robot, `reclaim_hand` is the number of
    the hand in which the replaced player asked to reclaim the seat: they take it in the next one. `page_used_at` is
    when the last move came in, if it came by the seat's page. `rates_as_bot` is NULL for a person; for a bot, whether
    its player wanted to be rated when it sat down.
    """

    __tablename__ = "seat_holders"

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    match_id: Mapped[str] = mapped_column(ForeignKey("matches.id"))
    seat: Mapped[int] = mapped_column(SmallInteger)
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"))
    name: Mapped[str]
    email: Mapped[str]
    generation: Mapped[int] = mapped_column(SmallInteger, server_default="1")
    shares_text: Mapped[bool | None]
    premove: Mapped[str | None]
    late_moves: Mapped[int] = mapped_column(SmallInteger, server_default="0")
    leave_reason: Mapped[str | None]
    reclaim_hand: Mapped[int | None] = mapped_column(SmallInteger)
    mail_stopped_at: Mapped[datetime | None]
    page_used_at: Mapped[datetime | None]
    rates_as_bot: Mapped[bool | None]
    seated_at: Mapped[datetime]
    left_at: Mapped[datetime | None]

    player: Mapped[Player] = relationship()
    match: Mapped[Match] = relationship()

    __table_args__ = (
        Index("ix_seat_holders_newest", "player_id", "id"),
        Index("uq_seat_holders_present", "match_id", "seat", unique=True, postgresql_where=sql("left_at IS NULL")),
        Index("ix_seat_holders_match_id", "match_id"),
    )


class Deadline(Base):
    """The deadline of a seat that may move now, with the time of the request.

    `next_action_at` is when the clock next has to act: to remind (at `remind_at`; done at `reminded_at`), to report the
    timeout, to end the phase (at `phase_ends_at`), or to play for the seat (at `robot_moves_at`). `extra_seconds` is
    granted time in seconds. Phases other than running begin and end; the others have voted to wait `wait_votes` times.
    """

    __tablename__ = "deadlines"

    match_id: Mapped[str] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    ply: Mapped[int]
    asked_at: Mapped[datetime]
    due_at: Mapped[datetime | None] = mapped_column(index=True)
    next_action_at: Mapped[datetime | None] = mapped_column(index=True)
    extra_seconds: Mapped[int] = mapped_column(server_default="0")
    remind_at: Mapped[datetime | None]
    reminded_at: Mapped[datetime | None]
    nudged_at: Mapped[datetime | None]
    phase: Mapped[DeadlinePhase] = mapped_column(server_default="running")
    phase_started_at: Mapped[datetime | None]
    phase_ends_at: Mapped[datetime | None]
    wait_votes: Mapped[int] = mapped_column(SmallInteger, server_default="0")
    robot_moves_at: Mapped[datetime | None]

    __table_args__ = (
        CheckConstraint("phase IN ('running', 'grace', 'replacement', 'waiting')", name="phase"),
        CheckConstraint(
            "(phase = 'running') = (phase_started_at IS NULL) AND (phase = 'running') = (phase_ends_at IS NULL)",
            name="phase_times",
        ),
        Index("ix_deadlines_replacement", "phase_started_at", postgresql_where=sql("phase = 'replacement'")),
    )


class MoveTiming(Base):
    """When a seat was asked for a move and when it moved: the time charged to its clock.

    `automatic_reason` is why the service played the move, if it did.
    """

    __tablename__ = "move_timings"

    match_id: Mapped[str] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    ply: Mapped[int] = mapped_column(primary_key=True)
    holder_id: Mapped[int] = mapped_column(ForeignKey("seat_holders.id"), index=True)
    asked_at: Mapped[datetime]
    moved_at: Mapped[datetime]
    automatic_reason: Mapped[str | None]


class ClockPause(Base):
    """An interval in which clocks are stopped: those of a match, a player, a mail domain, or all of them.

    `reason` is one of `pbem.states.PauseReason`; `automatic` marks a vacation taken automatically. NULL as its end
    means that it lasts.
    """

    __tablename__ = "clock_pauses"

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    reason: Mapped[str]
    match_id: Mapped[str | None] = mapped_column(ForeignKey("matches.id"), index=True)
    player_id: Mapped[int | None] = mapped_column(ForeignKey("players.id"), index=True)
    domain: Mapped[str | None] = mapped_column(index=True)
    started_at: Mapped[datetime]
    ended_at: Mapped[datetime | None]
    automatic: Mapped[bool] = mapped_column(server_default="false")

    __table_args__ = (
        Index(
            "ix_clock_pauses_global",
            "started_at",
            postgresql_where=sql("match_id IS NULL AND player_id IS NULL AND domain IS NULL"),
        ),
    )


class Offer(Base):
    """An offer of a seat to the other players, with the seats that have agreed; it is open until the next move.

    `proposed_by` are the seats that have proposed it since the last move. A declined offer is kept until then.
    """

    __tablename__ = "offers"

    match_id: Mapped[str] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    kind: Mapped[str] = mapped_column(primary_key=True)
    seat: Mapped[int] = mapped_column(SmallInteger)
    next_ply: Mapped[int]
    detail: Mapped[dict[str, Any]]
    proposed_by: Mapped[list[int]]
    agreed: Mapped[list[int]]
    offered_at: Mapped[datetime]
    declined_at: Mapped[datetime | None]


class Vote(Base):
    """A player's vote on another seat whose time has run out."""

    __tablename__ = "votes"

    match_id: Mapped[str] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    subject_seat: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    holder_id: Mapped[int] = mapped_column(ForeignKey("seat_holders.id"), primary_key=True)
    choice: Mapped[str]
    voted_at: Mapped[datetime]


class Plan(Base):
    """Conditional moves of a player, as parsed; they apply to stages after `stage`.

    `log_length` is the length of the match's log when the plan was made or last played a move; `dropped_reasons` is why
    lines were dropped, not yet reported to the player.
    """

    __tablename__ = "plans"

    holder_id: Mapped[int] = mapped_column(ForeignKey("seat_holders.id"), primary_key=True)
    lines: Mapped[dict[str, Any]]
    stage: Mapped[int]
    log_length: Mapped[int]
    dropped_reasons: Mapped[str]
    created_at: Mapped[datetime]


class KeptLine(Base):
    """A line of moves that a player tried out at a seat and kept for later, which nobody else sees.

    It starts from the position after `step` entries of the match's log; `moves` are as the rules write them. Whose they
    are, and what has become of them, is found by playing them again.
    """

    __tablename__ = "kept_lines"

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id", ondelete="CASCADE"), index=True)
    match_id: Mapped[str] = mapped_column(ForeignKey("matches.id"), index=True)
    seat: Mapped[int] = mapped_column(SmallInteger)
    step: Mapped[int]
    moves: Mapped[list[str]]
    kept_at: Mapped[datetime]


class Token(Base):
    """An issued link or reply address, identified by its SHA-256; ply 0 is the invitation."""

    __tablename__ = "tokens"

    hash: Mapped[bytes] = mapped_column(primary_key=True)
    kind: Mapped[str]
    holder_id: Mapped[int] = mapped_column(ForeignKey("seat_holders.id"), index=True)
    ply: Mapped[int]
    generation: Mapped[int] = mapped_column(SmallInteger)
    issued_at: Mapped[datetime]

    holder: Mapped[SeatHolder] = relationship()


_ENTRY = ("ply", "seat", "move", "event", "by", "detail", "logged_at", "salt")


class LogEntry(Base):
    """An entry of a match's chain: a move (with a ply) or an event.

    The primary key includes the whole row: entries of one match are written weeks apart and scattered over the table,
    and adjacent only in the index. Therefore an entry is limited to about 2,500 bytes.
    """

    __tablename__ = "log_entries"

    match_id: Mapped[str] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    ply: Mapped[int | None]
    seat: Mapped[int | None] = mapped_column(SmallInteger)
    move: Mapped[str | None]
    event: Mapped[str | None]
    by: Mapped[str | None]
    detail: Mapped[dict[str, Any] | None]
    logged_at: Mapped[datetime]
    salt: Mapped[bytes]

    __table_args__ = (
        PrimaryKeyConstraint("match_id", "number", postgresql_include=_ENTRY),
        UniqueConstraint("match_id", "ply"),
        CheckConstraint("(ply IS NULL) = (move IS NULL) AND (ply IS NULL) = (event IS NOT NULL)", name="kind"),
    )


class ChatMessage(Base):
    """A chat message of a seat, with a move or alone; a submission has at most one."""

    __tablename__ = "chat_messages"

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    match_id: Mapped[str] = mapped_column(ForeignKey("matches.id"), index=True)
    holder_id: Mapped[int] = mapped_column(ForeignKey("seat_holders.id"))
    seat: Mapped[int] = mapped_column(SmallInteger)
    ply: Mapped[int]
    text: Mapped[str]
    submission_id: Mapped[str | None] = mapped_column(unique=True)
    sent_at: Mapped[datetime]


class AbuseReport(Base):
    """A player's report of another in the match to the operator, with the reported text as it was."""

    __tablename__ = "abuse_reports"

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    match_id: Mapped[str] = mapped_column(ForeignKey("matches.id"), index=True)
    reporter_id: Mapped[int] = mapped_column(ForeignKey("seat_holders.id"))
    reported_holder_id: Mapped[int] = mapped_column(ForeignKey("seat_holders.id"))
    chat_message_id: Mapped[int | None] = mapped_column(ForeignKey("chat_messages.id"))
    reported_text: Mapped[str | None]
    text: Mapped[str]
    reported_at: Mapped[datetime]

    __table_args__ = (
        UniqueConstraint("reporter_id", "reported_holder_id", "chat_message_id", postgresql_nulls_not_distinct=True),
    )
