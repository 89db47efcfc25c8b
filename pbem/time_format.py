"""Dates, times and durations for people: in their own time zone, with the UTC offset."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from babel.dates import format_date, format_timedelta
from babel.units import format_unit

from pbem.i18n import _, babel_locale

if TYPE_CHECKING:
    from datetime import date, datetime, timedelta

    from babel import Locale

_MINUTE, _HOUR, _DAY = 60, 3600, 86400


def format_moment(at: datetime, zone: str) -> str:
    """Format a moment: "Tue 24 Nov 2026, 18:30"; in UTC, which may not be the reader's own zone, it says so."""
    # A Babel date pattern: weekday, day, month, year, each short.
    return _format(at, zone, _("EEE d MMM y"))


def format_deadline(at: datetime, now: datetime, zone: str) -> str:
    """Format a moment that is near, with how far away it is: "Thu 24 Dec, 18:30 · in 3 days"."""
    is_this_year = at.astimezone(load_zone(zone)).year == now.astimezone(load_zone(zone)).year
    # A Babel date pattern: weekday, day, month, each short.
    moment = _format(at, zone, _("EEE d MMM")) if is_this_year else format_moment(at, zone)
    return _("{moment} · {away}", moment=moment, away=format_relative(at, now))


def format_full_moment(at: datetime, zone: str) -> str:
    """Format a moment with its zone: "Tuesday, 24 November 2026, 18:30 (Europe/Berlin, UTC+1)"."""
    local = at.astimezone(load_zone(zone))
    return _("{day}, {clock} ({zone})", day=format_day(at, zone), clock=f"{local:%H:%M}", zone=_format_zone(local))


def format_day(at: datetime, zone: str) -> str:
    """Format the date of a moment in a time zone: "Tuesday, 24 November 2026"."""
    # A Babel date pattern: weekday, day, month, year.
    return _format_date(at.astimezone(load_zone(zone)).date(), _("EEEE, d MMMM y"), babel_locale())


def format_date_of_year(day: date) -> str:
    """Format a date without its weekday: "24 November 2026"."""
    # A Babel date pattern: day, month, year.
    return _format_date(day, _("d MMMM y"), babel_locale())


def format_relative(at: datetime, now: datetime) -> str:
    """Format how far away a moment is: "in 2 days", "3 hours ago"."""
    return format_timedelta(at - now, add_direction=True, locale=babel_locale())


def format_duration(time: timedelta) -> str:
    """Format a duration to the minute: "2 days, 12 hours"."""
    minutes = round(time.total_seconds()) // _MINUTE
    hours, minutes = divmod(minutes, _HOUR // _MINUTE)
    days, hours = divmod(hours, _DAY // _HOUR)
    counts = [(days, "day"), (hours, "hour"), (minutes, "minute")]
    parts = [format_unit(count, f"duration-{unit}", locale=babel_locale()) for count, unit in counts if count]
    return ", ".join(parts) or format_unit(0, "duration-minute", locale=babel_locale())


def load_zone(name: str) -> ZoneInfo:
    """Return a time zone by its name, or UTC if this machine does not know it."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return ZoneInfo("UTC")


def _format(at: datetime, zone: str, pattern: str) -> str:
    """Format a moment by the Babel pattern of its day."""
    local = at.astimezone(load_zone(zone))
    day = _format_date(local.date(), pattern, babel_locale())
    moment = _("{day}, {clock}", day=day, clock=f"{local:%H:%M}")
    return moment if str(local.tzinfo) != "UTC" else f"{moment} UTC"


@lru_cache(maxsize=1024)
def _format_date(day: date, pattern: str, locale: Locale) -> str:
    """Format a date by a Babel pattern; lists repeat the days around today."""
    return format_date(day, pattern, locale=locale)


def _format_zone(local: datetime) -> str:
    name, offset = str(local.tzinfo), local.utcoffset()
    seconds = int(offset.total_seconds()) if offset else 0
    hours, minutes = divmod(abs(seconds) // _MINUTE, _HOUR // _MINUTE)
    sign = "\N{MINUS SIGN}" if seconds < 0 else "+"
    utc = f"UTC{sign}{hours}" + (f":{minutes:02}" if minutes else "") if seconds else "UTC"
    return utc if name == utc else f"{name}, {utc}"
