"""Dates, times and durations for people: in their own time zone, with the UTC offset."""

from __future__ import annotations

from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from babel.dates import format_datetime, format_timedelta
from babel.units import format_unit

from pbem.i18n import _, spoken

if TYPE_CHECKING:
    from datetime import datetime, timedelta

_MINUTE, _HOUR, _DAY = 60, 3600, 86400


def moment(at: datetime, zone: str) -> str:
    """Format a moment: "Tuesday, 24 November 2026, 18:30 (Europe/Berlin, UTC+1)"."""
    there = at.astimezone(zone_of(zone))
    clock = f"{there:%H:%M}"
    return _("{day}, {clock} ({zone})", day=day(at, zone), clock=clock, zone=_zone(there))


def day(at: datetime, zone: str) -> str:
    """Format the date of a moment in a time zone: "Tuesday, 24 November 2026"."""
    # A Babel date pattern: weekday, day, month, year.
    return format_datetime(at.astimezone(zone_of(zone)), _("EEEE, d MMMM y"), locale=spoken())


def away(at: datetime, now: datetime) -> str:
    """Format how far away a moment is: "in 2 days", "3 hours ago"."""
    return format_timedelta(at - now, add_direction=True, locale=spoken())


def lasting(time: timedelta) -> str:
    """Format a duration to the minute: "2 days, 12 hours"."""
    minutes = round(time.total_seconds()) // _MINUTE
    hours, minutes = divmod(minutes, _HOUR // _MINUTE)
    days, hours = divmod(hours, _DAY // _HOUR)
    counted = [(days, "day"), (hours, "hour"), (minutes, "minute")]
    said = [format_unit(count, f"duration-{unit}", locale=spoken()) for count, unit in counted if count]
    return ", ".join(said) or format_unit(0, "duration-minute", locale=spoken())


def zone_of(name: str) -> ZoneInfo:
    """Return a time zone by its name, or UTC if this machine does not know it."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return ZoneInfo("UTC")


def _zone(there: datetime) -> str:
    name, offset = str(there.tzinfo), there.utcoffset()
    seconds = int(offset.total_seconds()) if offset else 0
    hours, minutes = divmod(abs(seconds) // _MINUTE, _HOUR // _MINUTE)
    sign = "\N{MINUS SIGN}" if seconds < 0 else "+"
    written = f"UTC{sign}{hours}" + (f":{minutes:02}" if minutes else "") if seconds else "UTC"
    return written if name == written else f"{name}, {written}"
