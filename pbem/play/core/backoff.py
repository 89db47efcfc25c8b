"""Delays before a failed mail or webhook call is tried again."""

from __future__ import annotations

from datetime import timedelta

RETRY_DELAYS = (
    timedelta(seconds=10),
    *(timedelta(minutes=minutes) for minutes in (1, 5, 15, 60, 240, 480, 960, 1440)),
)
"""Delay after each failed attempt; after the last one the delivery is given up."""
