"""Descriptions of the log's events: those of players, the clock and the operator."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.i18n import _, marked, several

if TYPE_CHECKING:
    from pbem.games.chain import EventEntry

OPERATOR = "operator"
_SEAT_EVENTS = {
    "resigned": marked("{name} resigns."),
    "timed_out": marked("{name} runs out of time."),
    "aborted": marked("{name} calls the match off."),
}
_OPERATOR_EVENTS = {
    "paused": marked("Whoever runs the service stops the clocks."),
    "resumed": marked("Whoever runs the service lets the clocks go on."),
    "aborted": marked("Whoever runs the service calls the match off."),
}
_MATCH_EVENTS = {
    "draw_agreed": marked("All agree to end the match in a draw."),
    "abandoned": marked("The match is given up: nobody is left who plays."),
    "paused": marked("The table takes a break."),
    "resumed": marked("The break is over."),
    "aborted": marked("The match is called off."),
    "restored": marked("The service returns to an older state: what was played since then is lost."),
    "opened": marked("What is hidden is shown to whoever runs the service."),
    "resigned": marked("Somebody resigns."),
    "timed_out": marked("Somebody runs out of time."),
    "substituted": marked("Somebody else sits down at the table."),
    "extended": marked("Somebody is given more time."),
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
            return _("Somebody else sits down in place of {name}.", name=name)
        return _("{newcomer} sits down in place of {former}.", newcomer=name, former=former)
    if entry.event == "extended" and name:
        hours = entry.detail.get("hours")
        days = hours // 24 if isinstance(hours, int) else 0
        return several("{name} is given one day more.", "{name} is given {count} days more.", days, name=name)
    operated = _OPERATOR_EVENTS.get(entry.event) if entry.by == OPERATOR else None
    pattern = operated or (_SEAT_EVENTS.get(entry.event) if name else None)
    return _(pattern, name=name) if pattern else _(_MATCH_EVENTS[entry.event])


def name_of_seat(seat: int | None, names: tuple[str, ...]) -> str:
    """Return the name of a seat's player, or "" if there is no seat, or a record names one that does not exist."""
    return names[seat - 1] if seat and 0 < seat <= len(names) else ""
