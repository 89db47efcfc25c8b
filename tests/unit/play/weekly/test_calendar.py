"""Weeks begin on Monday at 00:00 UTC, and are counted from 1."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from pbem.play.weekly import calendar

BERLIN = timezone(timedelta(hours=1))


@pytest.mark.parametrize(
    ("moment", "number"),
    [
        (datetime(2026, 1, 5, tzinfo=UTC), 1),
        (datetime(2026, 1, 11, 23, 59, 59, tzinfo=UTC), 1),
        (datetime(2026, 1, 12, tzinfo=UTC), 2),
        (datetime(2026, 1, 12, 0, 30, tzinfo=BERLIN), 1),
        (datetime(2027, 1, 4, tzinfo=UTC), 53),
    ],
)
def test_a_week_has_the_moments_from_its_monday_to_the_next(moment: datetime, number: int) -> None:
    assert calendar.number_at(moment) == number


@pytest.mark.parametrize("number", [1, 2, 53, 1000])
def test_a_week_ends_as_the_next_one_begins(number: int) -> None:
    begin, end = calendar.begin_of(number), calendar.end_of(number)
    assert begin.isoweekday() == 1
    assert end - begin == timedelta(days=7)
    assert (calendar.number_at(begin), calendar.number_at(end)) == (number, number + 1)
