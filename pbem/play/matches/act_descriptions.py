"""Descriptions of the log's events: those of players, the clock and the operator."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.i18n import _, marked, several
from pbem.play.core.actors import OPERATOR

if TYPE_CHECKING:
    from pbem.games.chain import EventEntry

_SEAT_EVENTS = {
    "resigned": marked("{name} resigns."),
    "timed_out": marked("{name} runs out of time."),
    "aborted": marked("{name} calls the match off."),
}
_OPERATOR_EVENTS = {
    "paused": marked("The operator stops the clocks."),
    "resumed": marked("The operator restarts the clocks."),
    "aborted": marked("The operator calls the match off."),
}
_MATCH_EVENTS = {
    "draw_agreed": marked("All agree to end the match in a draw."),
    "abandoned": marked("The match is abandoned: no player is left."),
    "paused": marked("The match is paused."),
    "resumed": marked("The match is resumed."),
    "aborted": marked("The match is called off."),
    "restored": marked("The service is restored from a backup: later moves are lost."),
    "opened": marked("The operator looks at what is hidden."),
    "resigned": marked("Somebody resigns."),
    "timed_out": marked("Somebody runs out of time."),
    "substituted": marked("A substitute takes a seat."),
    "extended": marked("Somebody gets more time."),
}
"""Descriptions of events that concern no seat, or name none."""


def describe(entry: EventEntry, names: tuple[str, ...], before: tuple[str, ...]) -> str:
    """Describe an event of a log; `names` are the players after it, `before` those before it."""
    name = name_of_seat(entry.seat, names)
    if entry.event == "taken_back":
        return _("All moves from move {ply} on are taken back.", ply=entry.detail.get("from", ""))
    if entry.event == "substituted" and name:
        former = name_of_seat(entry.seat, before)
        if former == name:
            return _("A substitute takes the seat of {name}.", name=name)
        return _("{newcomer} takes the seat of {former}.", newcomer=name, former=former)
    if entry.event == "extended" and name:
        hours = entry.detail.get("hours")
        days = hours // 24 if isinstance(hours, int) else 0
        return several("{name} gets one more day.", "{name} gets {count} more days.", days, name=name)
    operated = _OPERATOR_EVENTS.get(entry.event) if entry.by == OPERATOR else None
    pattern = operated or (_SEAT_EVENTS.get(entry.event) if name else None)
    return _(pattern, name=name) if pattern else _(_MATCH_EVENTS[entry.event])


def name_of_seat(seat: int | None, names: tuple[str, ...]) -> str:
    """Return the name of a seat's player, or "" if there is no seat, or a record names one that does not exist."""
    return names[seat - 1] if seat and 0 < seat <= len(names) else ""
