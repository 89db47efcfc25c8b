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


class WebhookForm(StrEnum):
    """The form in which a webhook is called: as a program reads it, or as a chat service takes a message."""

    JSON = "json"
    DISCORD = "discord"
    SLACK = "slack"
    MATRIX = "matrix"
    NTFY = "ntfy"


class PauseReason(Enum):
    """Why a clock is stopped."""

    PAUSED = "paused"
    AWAY = "away"
    OUTAGE = "outage"
    UNREACHABLE = "unreachable"
    WEEKEND = "weekend"


class EventKind(StrEnum):
    """A kind of event: a season of a league, a ladder, or a field that plays the same deals."""

    LEAGUE = "league"
    LADDER = "ladder"
    FIELD = "field"


class EventState(StrEnum):
    """The state of an event: taking entries, drawn into groups, being played, or ended."""

    OPEN = "open"
    DRAWN = "drawn"
    RUNNING = "running"
    OVER = "over"


class EntrantState(StrEnum):
    """Whether an entrant takes part, or has withdrawn."""

    ENTERED = "entered"
    WITHDRAWN = "withdrawn"


class MatchRole(StrEnum):
    """Whether the result of a match counts in its event."""

    COUNTS = "counts"
    FRIENDLY = "friendly"


class ChallengeState(StrEnum):
    """The state of a challenge on a ladder; one that nobody answered in time has lapsed."""

    OFFERED = "offered"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    LAPSED = "lapsed"
    TAKEN_BACK = "taken_back"
    OVER = "over"


class DealSetKind(StrEnum):
    """A kind of shared deal: two matches with the seats exchanged, the tables of a field, or the deal of a week.

    Records do not have the kind of one that was imported with them.
    """

    THERE_AND_BACK = "there_and_back"
    FIELD = "field"
    WEEK = "week"
    IMPORTED = "imported"


class Withheld(StrEnum):
    """What is withheld of a match until the deal that it shares is open: its record with the secret, or all of it."""

    RECORD = "record"
    TABLE = "table"
