"""Calendars of deadlines (RFC 5545), each with an alarm a day and two hours before."""

from __future__ import annotations

from datetime import UTC, timedelta
from typing import TYPE_CHECKING

from icalendar import Alarm, Calendar, Event

from pbem import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

ALARM_OFFSETS = (timedelta(days=-1), timedelta(hours=-2))
REFRESH_INTERVAL = timedelta(hours=1)
"""Interval at which programs should refresh."""


def render(title: str, events: Iterable[Event]) -> bytes:
    """Render a calendar."""
    calendar = Calendar()
    calendar.add("prodid", f"-//pbem//{__version__}//EN")
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", title)
    calendar.add("name", title)
    calendar.add("refresh-interval", REFRESH_INTERVAL, parameters={"VALUE": "DURATION"})
    for event in events:
        calendar.add_component(event)
    body: bytes = calendar.to_ical()
    return body


def deadline_event(
    uid: str, title: str, text: str, url: str, *, at: datetime, revised: datetime, sequence: int
) -> Event:
    """Return the event of a deadline, in UTC: `uid` never changes, `sequence` grows whenever the match goes on."""
    event = Event()
    event.add("uid", uid)
    event.add("dtstamp", revised.astimezone(UTC).replace(microsecond=0))
    event.add("sequence", sequence)
    event.add("dtstart", at.astimezone(UTC).replace(microsecond=0))
    event.add("summary", title)
    event.add("description", text)
    event.add("url", url)
    # A deadline does not make anyone busy.
    event.add("transp", "TRANSPARENT")
    for before in ALARM_OFFSETS:
        alarm = Alarm()
        alarm.add("action", "DISPLAY")
        alarm.add("description", title)
        alarm.add("trigger", before)
        event.add_component(alarm)
    return event
