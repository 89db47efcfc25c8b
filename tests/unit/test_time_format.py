"""Moments in the zone and the language of whoever reads them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from pbem.i18n import use_locale
from pbem.time_format import format_day, format_deadline, format_duration, format_full_moment, format_moment

AT = datetime(2026, 11, 24, 17, 30, tzinfo=UTC)
SUMMER = datetime(2026, 7, 1, 23, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    ("at", "zone", "english", "german"),
    [
        (
            AT,
            "Europe/Berlin",
            "Tuesday, 24 November 2026, 18:30 (Europe/Berlin, UTC+1)",
            "Dienstag, 24. November 2026, 18:30 Uhr (Europe/Berlin, UTC+1)",
        ),
        (
            SUMMER,
            "Europe/Berlin",
            "Thursday, 2 July 2026, 01:05 (Europe/Berlin, UTC+2)",
            "Donnerstag, 2. Juli 2026, 01:05 Uhr (Europe/Berlin, UTC+2)",
        ),
        (
            AT,
            "America/St_Johns",
            "Tuesday, 24 November 2026, 14:00 (America/St_Johns, UTC−3:30)",
            "Dienstag, 24. November 2026, 14:00 Uhr (America/St_Johns, UTC−3:30)",
        ),
        (
            AT,
            "Europe/London",
            "Tuesday, 24 November 2026, 17:30 (Europe/London, UTC)",
            "Dienstag, 24. November 2026, 17:30 Uhr (Europe/London, UTC)",
        ),
        (
            AT,
            "Nowhere/At all",
            "Tuesday, 24 November 2026, 17:30 (UTC)",
            "Dienstag, 24. November 2026, 17:30 Uhr (UTC)",
        ),
    ],
)
def test_a_moment_in_full_names_its_zone(at: datetime, zone: str, english: str, german: str) -> None:
    assert format_full_moment(at, zone) == english
    with use_locale("de"):
        assert format_full_moment(at, zone) == german


@pytest.mark.parametrize(
    ("zone", "english", "german"),
    [
        ("Europe/Berlin", "Thu 2 Jul 2026, 01:05", "Do. 2. Juli 2026, 01:05 Uhr"),
        ("UTC", "Wed 1 Jul 2026, 23:05 UTC", "Mi. 1. Juli 2026, 23:05 Uhr UTC"),
        ("Nowhere/At all", "Wed 1 Jul 2026, 23:05 UTC", "Mi. 1. Juli 2026, 23:05 Uhr UTC"),
    ],
)
def test_a_moment_is_short_and_names_its_zone_only_where_it_may_not_be_the_readers(
    zone: str, english: str, german: str
) -> None:
    assert format_moment(SUMMER, zone) == english
    with use_locale("de"):
        assert format_moment(SUMMER, zone) == german


def test_a_deadline_says_how_far_away_it_is() -> None:
    now = AT - timedelta(days=3)
    assert format_deadline(AT, now, "Europe/Berlin") == "Tue 24 Nov, 18:30 · in 3 days"
    assert format_deadline(now, AT, "Europe/Berlin") == "Sat 21 Nov, 18:30 · 3 days ago"
    assert format_deadline(AT.replace(year=2027), AT, "Europe/Berlin") == "Wed 24 Nov 2027, 18:30 · in 1 year"
    with use_locale("de"):
        assert format_deadline(AT, now, "Europe/Berlin") == "Di. 24. Nov., 18:30 Uhr · in 3 Tagen"


def test_a_day_is_that_of_the_zone() -> None:
    assert format_day(SUMMER, "UTC") == "Wednesday, 1 July 2026"
    assert format_day(SUMMER, "Asia/Tokyo") == "Thursday, 2 July 2026"


@pytest.mark.parametrize(
    ("time", "english", "german"),
    [
        (timedelta(days=3), "3 days", "3 Tage"),
        (timedelta(days=1, hours=2, minutes=30), "1 day, 2 hours, 30 minutes", "1 Tag, 2 Stunden, 30 Minuten"),
        (timedelta(minutes=59, seconds=59), "59 minutes", "59 Minuten"),
        (timedelta(seconds=20), "0 minutes", "0 Minuten"),
    ],
)
def test_how_long_something_takes_is_said_to_the_minute(time: timedelta, english: str, german: str) -> None:
    assert format_duration(time) == english
    with use_locale("de"):
        assert format_duration(time) == german
