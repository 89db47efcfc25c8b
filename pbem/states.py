"""Enumerations of the states that database rows store."""

from __future__ import annotations

from enum import Enum, StrEnum


class MatchState(StrEnum):
    """The state of a match: waiting for its players, being played, or ended."""

    INVITING = "inviting"
    RUNNING = "running"
    OVER = "over"


class PauseReason(Enum):
    """Why a clock is stopped."""

    PAUSED = "paused"
    AWAY = "away"
    OUTAGE = "outage"
    UNREACHABLE = "unreachable"
    WEEKEND = "weekend"
