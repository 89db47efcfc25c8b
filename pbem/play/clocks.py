"""Clocks: how long a player may think about a move, chosen when a match is made and kept for all of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pbem.words import _, marked

if TYPE_CHECKING:
    from collections.abc import Mapping

NONE = "none"
"""The clock of a match without deadlines."""
USUAL = "3 days"
"""The clock that the form offers first."""


@dataclass(frozen=True, slots=True)
class Clock:
    """A way to play against time: so many days for each move, or as long as one likes."""

    key: str
    days: int | None
    about: str
    short: str


CLOCKS: Mapping[str, Clock] = {
    clock.key: clock
    for clock in (
        Clock("1 day", 1, marked("Brisk: a day for each move"), marked("a day a move")),
        Clock(USUAL, 3, marked("Usual: three days for each move"), marked("three days a move")),
        Clock("7 days", 7, marked("Relaxed: a week for each move"), marked("a week a move")),
        Clock(NONE, None, marked("No deadlines: as long as you like"), marked("no deadlines")),
    )
}
"""All clocks by the key that matches keep, the briskest first."""


def days(key: str) -> int | None:
    """Give how many days there are for a move; None where there is no end to them."""
    return _clock(key).days


def about(key: str) -> str:
    """Say what a clock means, as a form offers it."""
    return _(_clock(key).about)


def short(key: str) -> str:
    """Say what a clock means in a few words, as a list of tables does."""
    return _(_clock(key).short)


def _clock(key: str) -> Clock:
    # A match may keep a clock that is no longer offered: it has no deadlines then.
    return CLOCKS.get(key, CLOCKS[NONE])
