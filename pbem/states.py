"""The states that rows are in, as the words that the database holds."""

from __future__ import annotations

from enum import Enum, StrEnum


class MatchState(StrEnum):
    """The state of a match: waiting for its players, being played, or ended."""

    INVITING = "inviting"
    RUNNING = "running"
    OVER = "over"


class PauseReason(Enum):
    """Why a clock stands still."""

    PAUSED = "paused"
    AWAY = "away"
    OUTAGE = "outage"
    UNREACHABLE = "unreachable"
    WEEKEND = "weekend"
