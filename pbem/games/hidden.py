"""What a seat may not know, and who looks."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Generic, NewType, TypeAlias, TypeVar

from pbem.games.values import quick

T = TypeVar("T")

Seat = NewType("Seat", int)
"""A place at a match, numbered from 1 in turn order."""


class Eye(Enum):
    """Looks at a match from no seat."""

    PUBLIC = "public"
    """Anybody: sees what all seats may know."""
    OPEN = "open"
    """Sees everything; refused by the table while a match runs."""


Viewer: TypeAlias = Seat | Eye
"""One who looks: a seat, or an eye that sits nowhere."""


@quick
@dataclass(frozen=True, slots=True, repr=False)
class Hidden(Generic[T]):
    """Keeps a secret inside a position, with the seats that may know it.

    Rules read `value`; whatever is shown to people asks `shown_to`. A fact derived from secrets is
    `Hidden` itself. The value never appears in a repr, and so in no log and no error mail.
    """

    value: T
    seats: frozenset[Seat] = frozenset()

    def shown_to(self, viewer: Viewer) -> T | None:
        """Give the secret to a viewer who may know it, and None to all others."""
        return self.value if viewer is Eye.OPEN or viewer in self.seats else None

    def __repr__(self) -> str:
        return "Hidden(…)"
