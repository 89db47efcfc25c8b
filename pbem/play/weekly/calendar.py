"""The weeks, counted from 1: each begins on Monday at 00:00 UTC and ends with the next one."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

FIRST_MONDAY = datetime(2026, 1, 5, tzinfo=UTC)
"""Begin of week 1, at every service."""
WEEK = timedelta(days=7)


def number_at(moment: datetime) -> int:
    """Return the number of the week of a moment."""
    return 1 + (moment - FIRST_MONDAY) // WEEK


def begin_of(number: int) -> datetime:
    """Return when a week begins."""
    return FIRST_MONDAY + (number - 1) * WEEK


def end_of(number: int) -> datetime:
    """Return when a week ends, which is when the next one begins."""
    return begin_of(number + 1)
