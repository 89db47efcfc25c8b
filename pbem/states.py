"""The words that rows keep for the states that they are in."""

from __future__ import annotations

from enum import Enum


class PauseReason(Enum):
    """Why a clock stands still."""

    PAUSED = "paused"
    AWAY = "away"
    OUTAGE = "outage"
    UNREACHABLE = "unreachable"
    WEEKEND = "weekend"
