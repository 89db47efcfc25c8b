"""Validation of log entries: what each may hold, and which may follow the end of a match."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pbem.games.chain import EventEntry, MoveEntry

if TYPE_CHECKING:
    from pbem.games.chain import Entry

CLOSING_EVENTS = {"resigned", "timed_out", "draw_agreed", "abandoned", "aborted"}
"""Events that end a match."""

_EVENTS_AFTER_END = {"restored", "opened"}
_SEAT_EVENTS = {"resigned", "timed_out", "substituted"}
_is_salt = re.compile(r"[0-9a-f]{32}").fullmatch
_is_timestamp = re.compile(
    r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3])(:[0-5][0-9]){2}\.[0-9]{3}Z"
).fullmatch


def find_fault(entry: Entry, seats: int) -> str:
    """Return what is invalid in an entry of a match with this number of seats; empty if nothing is."""
    if not _is_salt(entry.salt):
        return "its salt is not 32 digits in lower-case hex"
    if not _is_timestamp(entry.at):
        return "its time is not written in UTC with milliseconds and Z"
    if entry.seat is not None and not 1 <= entry.seat <= seats:
        return f"there is no seat {entry.seat}"
    return "" if isinstance(entry, MoveEntry) else _find_event_fault(entry, seats)


def _find_event_fault(act: EventEntry, seats: int) -> str:
    if act.by not in {"clock", "table", "operator", *(f"seat {seat}" for seat in range(1, seats + 1))}:
        return "it is not by a seat, the clock, the table or the operator"
    if act.seat is None and act.event in _SEAT_EVENTS:
        return f"“{act.event}” does not name a seat"
    begins = act.detail.get("from")
    if act.event == "taken_back" and (len(act.detail) > 1 or type(begins) is not int or begins < 1):
        return "its detail does not name the ply from which moves were taken back"
    return ""


def is_too_late(entry: Entry, before: Entry) -> bool:
    """Return whether an entry may not follow the end of its match; several seats may time out together."""
    if isinstance(entry, MoveEntry):
        return True
    together = (
        isinstance(before, EventEntry) and entry.event == before.event == "timed_out" and entry.seat != before.seat
    )
    return entry.event not in _EVENTS_AFTER_END and not together
