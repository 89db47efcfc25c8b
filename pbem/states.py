"""Enumerations of the states that database rows store."""

from __future__ import annotations

from enum import Enum, StrEnum


class MatchState(StrEnum):
    """The state of a match: waiting for its players, being played, or ended."""

    INVITING = "inviting"
    RUNNING = "running"
    OVER = "over"


class SubmissionStatus(StrEnum):
    """What became of a submission.

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
    """What became of a mail to the service's own address; one that asked for nothing known is only stored."""

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
