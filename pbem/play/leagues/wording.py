"""Words about seasons, on pages, in mails and in feeds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.i18n import _
from pbem.play.events import entries
from pbem.states import EventState
from pbem.time_format import format_day

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.db.models import Event

_FRACTIONS = {0.25: "¼", 0.5: "½", 0.75: "¾"}


def points(value: float) -> str:
    """Return points with halves and quarters as signs: "2½"."""
    whole = int(abs(value))
    sign = _FRACTIONS.get(abs(value) - whole, "")
    return f"{'−' if value < 0 else ''}{whole if whole or not sign else ''}{sign}"


def describe_state(event: Event, zone: str = "UTC") -> str:
    """Return how far a season is, in a sentence or two."""
    if event.state == EventState.OVER:
        return _("This season is over.")
    if event.state == EventState.RUNNING:
        return f"{_('The matches have begun.')} {describe_end(event, zone)}"
    if event.state == EventState.DRAWN:
        return f"{_('The groups are drawn.')} {describe_begin(event, zone)}"
    return describe_entries(event, zone)


def describe_entries(event: Event, zone: str = "UTC") -> str:
    """Return until when people can enter a season, and when its matches begin."""
    drawn = _("You can enter until the groups are drawn, on {day}.", day=_day(event.draws_at, zone))
    return f"{drawn} {describe_begin(event, zone)}"


def describe_begin(event: Event, zone: str = "UTC") -> str:
    """Return when the matches of a season begin."""
    return _("The matches begin on {day}.", day=_day(event.starts_at, zone))


def describe_end(event: Event, zone: str = "UTC") -> str:
    """Return when the matches of a season end."""
    return _("All are over by {day} at the latest.", day=_day(event.ends_at, zone))


def describe_waiting_list(event: Event, zone: str = "UTC") -> str:
    """Return what entering means once the groups are drawn."""
    until = event.starts_at + entries.SUBSTITUTES_FOR if event.starts_at else None
    drawn = _("The groups are drawn, so you are put on the waiting list.")
    return f"{drawn} {_('Until {day} you get the place of somebody who leaves.', day=_day(until, zone))}"


def _day(at: datetime | None, zone: str) -> str:
    return format_day(at, zone) if at else "–"
