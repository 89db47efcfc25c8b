"""Seats, viewers, and values hidden from them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Generic, NewType, TypeAlias, TypeVar

from pbem.games.slots import slot_setters

T = TypeVar("T")

Seat = NewType("Seat", int)
"""Seat of a match, numbered from 1 in turn order."""


class Eye(Enum):
    """Viewers without a seat."""

    PUBLIC = "public"
    """Spectators: see what all seats may know."""
    OPEN = "open"
    """Sees everything; `pbem.play` refuses it while a match runs."""


Viewer: TypeAlias = Seat | Eye
"""A seat, or a viewer without one."""


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Hidden(Generic[T]):
    """Secret inside a position, with the seats that may know it.

    Rules read `value`; whatever is shown to people uses `shown_to`. A fact derived from secrets is `Hidden` itself.
    The value never appears in a repr, and so in no log and no error mail.
    """

    value: T
    seats: frozenset[Seat]

    def __init__(self, value: T, seats: frozenset[Seat] = frozenset()) -> None:
        set_value, set_seats = _HIDDEN_SLOTS
        set_value(self, value)
        set_seats(self, seats)

    def shown_to(self, viewer: Viewer) -> T | None:
        """Return the secret for a viewer who may know it, and None for all others."""
        return self.value if viewer is Eye.OPEN or viewer in self.seats else None

    def __repr__(self) -> str:
        return "Hidden(…)"


_HIDDEN_SLOTS = slot_setters(Hidden)
