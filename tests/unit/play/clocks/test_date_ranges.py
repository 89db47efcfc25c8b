"""Dates as people type them: which days are meant, and what is refused."""

from __future__ import annotations

from datetime import date

import pytest

from pbem.i18n import use_locale
from pbem.play.clocks import date_ranges
from pbem.play.clocks.date_ranges import DateRange
from pbem.play.core.errors import Refused

SUNDAY = date(2026, 11, 22)
CHRISTMAS = DateRange(date(2026, 12, 24), date(2027, 1, 2))


def on(month: int, day: int, year: int = 2026) -> date:
    return date(year, month, day)


@pytest.mark.parametrize(
    ("typed", "days"),
    [
        ("until 17 Dec", DateRange(None, on(12, 17))),
        ("until the 17th of December 2026.", DateRange(None, on(12, 17))),
        ("bis zum 17. Dezember", DateRange(None, on(12, 17))),
        ("bis 3. März", DateRange(None, on(3, 3, 2027))),
        ("until 17 Aug", DateRange(None, on(8, 17, 2027))),
        ("until 2026-12-17", DateRange(None, on(12, 17))),
        ("until 17.12.", DateRange(None, on(12, 17))),
        ("till Dec 17, 2026", DateRange(None, on(12, 17))),
        ("5 days", DateRange(None, count=5)),
        ("for 5 days!", DateRange(None, count=5)),
        ("a week", DateRange(None, count=7)),
        ("für zwei Wochen", DateRange(None, count=14)),
        ("24 Dec - 2 Jan", CHRISTMAS),
        ("24.12. - 2.1.", CHRISTMAS),
        ("24.12.2026–2.1.2027", CHRISTMAS),
        ("2026-12-24 - 2027-01-02", CHRISTMAS),
        ("2026-12-24 to 2027-01-02", CHRISTMAS),
        ("from 24th December until Jan 2nd", CHRISTMAS),
        ("vom 24. Dez bis zum 2. Jan", CHRISTMAS),
        ("24-28 Dec", DateRange(on(12, 24), on(12, 28))),
        ("24.-28.12.", DateRange(on(12, 24), on(12, 28))),
        ("24. - 28. Dez", DateRange(on(12, 24), on(12, 28))),
        ("24 Dec", DateRange(on(12, 24), on(12, 24))),
        ("today", DateRange(SUNDAY, SUNDAY)),
        ("until tomorrow", DateRange(None, on(11, 23))),
        ("until Monday", DateRange(None, on(11, 23))),
        ("bis Mi.", DateRange(None, on(11, 25))),
        ("until Sunday", DateRange(None, on(11, 29))),
        # What has just been is not meant for next year; whoever reads it refuses it.
        ("until 17 Nov", DateRange(None, on(11, 17))),
        ("17 Nov 2025", DateRange(on(11, 17, 2025), on(11, 17, 2025))),
        ("29 Feb 2028", DateRange(on(2, 29, 2028), on(2, 29, 2028))),
    ],
)
def test_days_are_read_in_many_ways(typed: str, days: DateRange) -> None:
    assert date_ranges.parse(typed, SUNDAY) == days


@pytest.mark.parametrize("typed", ["until 31 Feb", "29 Feb", "30.2.2027", "until 2026-13-45", "24 Dec 0000"])
def test_a_day_that_does_not_exist_is_refused(typed: str) -> None:
    with pytest.raises(Refused, match="is not a valid date"):
        date_ranges.parse(typed, SUNDAY)


@pytest.mark.parametrize(
    "typed",
    ["", "we go", "until", "until until", "0 days", "99999 days", "many days", "7/8", "24 Dec -", "- 24", "1-1-1",
     "until 3 days", "17 Ma", "17 J", "24-28", "away", "x" * 500, "5 - 5 - 5 Dec"],
)  # fmt: skip
def test_what_is_no_date_is_answered_with_what_is(typed: str) -> None:
    with pytest.raises(Refused, match="away until 17 Aug"):
        date_ranges.parse(typed, SUNDAY)
    with use_locale("de"), pytest.raises(Refused, match="abwesend bis 17"):
        date_ranges.parse(typed, SUNDAY)


def test_the_year_before_last_months_is_the_last() -> None:
    assert date_ranges.parse("until 30 Dec", on(1, 2, 2027)).last == on(12, 30)
    assert date_ranges.parse("until 30 Sep", on(1, 2, 2027)).last == on(9, 30, 2027)
