"""Calendars of deadlines (RFC 5545), each with an alarm a day and two hours before."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, timedelta
from typing import TYPE_CHECKING

from icalendar import Alarm, Calendar, Event

from pbem import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

ALARM_OFFSETS = (timedelta(days=-1), timedelta(hours=-2))
REFRESH_INTERVAL = timedelta(hours=1)
"""How often programs are told to refresh."""


@dataclass(frozen=True, slots=True)
class Deadline:
    """A deadline; its `uid` never changes, its `sequence` grows whenever its match goes on."""

    uid: str
    title: str
    text: str
    url: str
    at: datetime
    revised: datetime
    sequence: int


def render(title: str, deadlines: Sequence[Deadline]) -> bytes:
    """Render a calendar of deadlines, all in UTC, which every program shows in its reader's own zone."""
    calendar = Calendar()
    calendar.add("prodid", f"-//pbem//{__version__}//EN")
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", title)
    calendar.add("name", title)
    calendar.add("refresh-interval", REFRESH_INTERVAL, parameters={"VALUE": "DURATION"})
    for due in deadlines:
        calendar.add_component(_event(due))
    body: bytes = calendar.to_ical()
    return body


def _event(due: Deadline) -> Event:
    event = Event()
    event.add("uid", due.uid)
    event.add("dtstamp", due.revised.astimezone(UTC).replace(microsecond=0))
    event.add("sequence", due.sequence)
    event.add("dtstart", due.at.astimezone(UTC).replace(microsecond=0))
    event.add("summary", due.title)
    event.add("description", due.text)
    event.add("url", due.url)
    # A deadline does not make anyone busy.
    event.add("transp", "TRANSPARENT")
    for before in ALARM_OFFSETS:
        alarm = Alarm()
        alarm.add("action", "DISPLAY")
        alarm.add("description", due.title)
        alarm.add("trigger", before)
        event.add_component(alarm)
    return event
