"""Parser of typed dates, such as “until 17 Aug”, “5 days” or “24 Dec - 2 Jan”, in any language of the service."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from typing import TYPE_CHECKING

from babel.dates import get_day_names, get_month_names

from pbem.i18n import LANGUAGES, _
from pbem.play.core.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

MAX_AGE_WITHOUT_YEAR = timedelta(days=60)
"""Maximum age at which a date without a year means the past one rather than the next."""
COUNT_LIMIT = 1000
MAX_CHARACTERS = 100
"""Maximum characters of a typed date."""

_ISO = re.compile(r"\b(\d{4})-(\d{1,2})-(\d{1,2})\b")
_SEPARATOR = re.compile(r"\s*(?:[-–—]|\b(?:to|until|till|through|bis zum|bis)\b)\s*")
_PREPOSITION = re.compile(r"^(?:from|on|for|für|vom|von|ab|am|the|den)\b\s*")
_DURATION = re.compile(r"(\w+) (day|days|tag|tage|week|weeks|woche|wochen)")
_NUMERIC_DATE = re.compile(r"(\d{1,2})\.\s?(\d{1,2})\.?\s?(\d{4})?")
_DAY_FIRST = re.compile(r"(\d{1,2})(?:st|nd|rd|th|\.)?\s?(?:of )?([^\W\d_]{3,})\.?,?\s?(\d{4})?")
_MONTH_FIRST = re.compile(r"([^\W\d_]{3,})\.? (\d{1,2})(?:st|nd|rd|th)?(?:,? (\d{4}))?")
_DAY_ALONE = re.compile(r"(\d{1,2})(?:st|nd|rd|th|\.)?")
_NUMBER_WORDS = {"a": 1, "one": 1, "two": 2, "three": 3, "ein": 1, "einen": 1, "eine": 1, "zwei": 2, "drei": 3}
_RELATIVE_DAYS = {"today": 0, "tomorrow": 1, "heute": 0, "morgen": 1}
_MIN_PREFIX_LENGTH = 3


@dataclass(frozen=True, slots=True)
class DateRange:
    """Days that were typed: from the first to the last, both whole, or `count` days from now on."""

    first: date | None
    last: date | None = None
    count: int = 0


def parse(typed: str, today: date) -> DateRange:
    """Parse the days that a player typed; `today` is the date in their time zone."""
    if len(typed) > MAX_CHARACTERS:
        raise parse_error()
    text = " ".join(typed.casefold().split()).rstrip("!?,;").strip()
    # Leaves no hyphen but the one between two dates.
    text = _ISO.sub(lambda found: f"{found[3]}.{found[2]}.{found[1]}", text)
    text = _PREPOSITION.sub("", text)
    if counted := _DURATION.fullmatch(text.rstrip(".")):
        return DateRange(None, count=_parse_count(counted))
    first, *rest = _SEPARATOR.split(text, maxsplit=1)
    if not rest:
        day = _parse_day(first, today, today)
        return DateRange(day, day)
    if not first:
        return DateRange(None, _parse_day(rest[0], today, today))
    if _DAY_ALONE.fullmatch(first):
        # As in “24-28 Dec”: only the second day has a month.
        behind = re.sub(r"^\d{1,2}(?:st|nd|rd|th)?", "", rest[0])
        first = f"{first.rstrip('.')}{behind}"
    begin = _parse_day(first, today, today)
    return DateRange(begin, _parse_day(rest[0], today, begin))


def parse_error() -> Refused:
    """Return the error for text that is no date, with examples of dates."""
    return Refused(
        _("Nothing changed. Write for how long, such as “away until 17 Aug”, “away 5 days” or “away 24 Dec - 2 Jan”.")
    )


def _parse_count(counted: re.Match[str]) -> int:
    number, unit = counted.groups()
    found = int(number) if number.isdecimal() else _NUMBER_WORDS.get(number, 0)
    if not 0 < found < COUNT_LIMIT:
        raise parse_error()
    return found * (7 if unit.startswith("w") else 1)


def _parse_day(typed: str, today: date, since: date) -> date:
    """Parse one day; without a year it is the next such day after `since`."""
    text = _PREPOSITION.sub("", typed).rstrip(".")
    if text in _RELATIVE_DAYS:
        return today + timedelta(days=_RELATIVE_DAYS[text])
    if (weekday := _lookup_name(_numbers(get_day_names), text)) is not None:
        return today + timedelta(days=(weekday - today.weekday() - 1) % 7 + 1)
    if found := _NUMERIC_DATE.fullmatch(text):
        return _resolve_year(typed, int(found[1]), int(found[2]), found[3], since)
    for pattern, name, number in ((_DAY_FIRST, 2, 1), (_MONTH_FIRST, 1, 2)):
        found = pattern.fullmatch(text)
        month = _lookup_name(_numbers(get_month_names), found[name]) if found else None
        if found and month is not None:
            return _resolve_year(typed, int(found[number]), month, found[3], since)
    raise parse_error()


def _resolve_year(typed: str, day: int, month: int, year: str | None, since: date) -> date:
    years = [int(year)] if year else [since.year - 1, since.year, since.year + 1]
    possible = [found for one in years if (found := _date_or_none(one, month, day))]
    if year and possible:
        return possible[0]
    near = [one for one in possible if one >= since - MAX_AGE_WITHOUT_YEAR]
    if not near:
        raise Refused(_("“{day}” is not a valid date.", day=typed))
    return near[0]


def _date_or_none(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _lookup_name(names: Mapping[str, int], typed: str) -> int | None:
    """Find the number of a name, or of an unambiguous prefix of one."""
    if typed in names:
        return names[typed]
    meant = {number for name, number in names.items() if len(typed) >= _MIN_PREFIX_LENGTH and name.startswith(typed)}
    return meant.pop() if len(meant) == 1 else None


@cache
def _numbers(get_names: Callable[..., Mapping[int, str]]) -> Mapping[str, int]:
    """Map the names of days or months, in every language, to their numbers."""
    widths = [get_names(width, locale=language) for language in LANGUAGES for width in ("wide", "abbreviated")]
    return {name.casefold().rstrip("."): number for names in widths for number, name in names.items()}
