"""Enumerations of the states that database rows store."""

from __future__ import annotations

from enum import Enum, StrEnum


class MatchState(StrEnum):
    """The state of a match: waiting for its players, being played, or ended."""

    INVITING = "inviting"
    RUNNING = "running"
    OVER = "over"


class DeadlinePhase(StrEnum):
    """The phase of a deadline: the move is not late, or what happens since it is.

    In all phases the seat may still move. After the grace period its future is open (replacement): a substitute is
    sought, or the others vote; they may vote to wait for the move (waiting).
    """

    RUNNING = "running"
    GRACE = "grace"
    REPLACEMENT = "replacement"
    WAITING = "waiting"


class SubmissionStatus(StrEnum):
    """The status of a submission.

    A held one is stored as pending: it is played when its sender can no longer undo it.
    """

    PENDING = "pending"
    HELD = "held"
    PLAYED = "played"
    REJECTED = "rejected"
    ALREADY_PLAYED = "already_played"
    DONE = "done"
    IGNORED = "ignored"
    FAILED = "failed"


class ServiceMailStatus(StrEnum):
    """The status of a mail to the service's own address; one without a known command is only stored."""

    PENDING = "pending"
    STORED = "stored"
    DONE = "done"
    FAILED = "failed"


class OutboxState(StrEnum):
    """The state of an outbox message."""

    PENDING = "pending"
    SENT = "sent"
    DROPPED = "dropped"
    FAILED = "failed"


class DeliveryState(StrEnum):
    """The state of a webhook delivery."""

    PENDING = "pending"
    DELIVERED = "delivered"
    FAILED = "failed"


class PauseReason(Enum):
    """Why a clock is stopped."""

    PAUSED = "paused"
    AWAY = "away"
    OUTAGE = "outage"
    UNREACHABLE = "unreachable"
    WEEKEND = "weekend"
