"""Time controls that a match can be created with; a match keeps its own to the end.

Matches store the key. The meaning of a key never changes while a match that began with it may run.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from pbem.i18n import _, marked
from pbem.play.clocks.calculation import DAY, Settings

if TYPE_CHECKING:
    from collections.abc import Mapping

NONE = "none"
"""Key of the time control without deadlines."""
USUAL = "3 days"
"""Key of the time control that the form offers first."""
_OFTEN = 3
"""Increments that a player with a bank is assumed to take for a move, again and again."""


@dataclass(frozen=True, slots=True)
class Clock:
    """A time control, with its description for the form and a short one for lists."""

    key: str
    settings: Settings
    about: str
    short: str

    @property
    def days(self) -> int | None:
        """Days for a move, or None if there is no limit."""
        if self.settings.bank is not None:
            return (self.settings.increment * _OFTEN).days
        return self.settings.per_move.days if self.settings.per_move else None


def _per_move(days: int, *, weekends_free: bool = False) -> Settings:
    return Settings(per_move=timedelta(days=days), weekends_free=weekends_free)


CLOCKS: Mapping[str, Clock] = {
    clock.key: clock
    for clock in (
        Clock("1 day", _per_move(1), marked("Brisk: a day for each move"), marked("a day a move")),
        Clock(USUAL, _per_move(3), marked("Usual: three days for each move"), marked("three days a move")),
        Clock(
            "weekend",
            _per_move(3, weekends_free=True),
            marked("Weekends free: three days for each move, of which Saturdays and Sundays are none"),
            marked("three days a move, weekends free"),
        ),
        Clock("7 days", _per_move(7), marked("A week for each move"), marked("a week a move")),
        Clock(
            "relaxed",
            Settings(bank=14 * DAY, increment=DAY, cap=21 * DAY),
            marked("Relaxed: two weeks to begin with, and a day more with each move, three weeks at most"),
            marked("two weeks, and a day more with each move"),
        ),
        Clock(NONE, Settings(), marked("No deadlines: as long as you like"), marked("no deadlines")),
    )
}
"""All time controls by the key that matches store, the fastest first."""


def settings(key: str) -> Settings:
    """Return the time control of a key."""
    return _clock(key).settings


def days(key: str) -> int | None:
    """Return the days for a move, or None if there is no limit."""
    return _clock(key).days


def per_move(count: int) -> str | None:
    """Find the key of the plain time control with that many days per move, or None."""
    wanted = _per_move(count)
    return next((key for key, clock in CLOCKS.items() if clock.settings == wanted), None)


def about(key: str) -> str:
    """Return the description of a time control, as the form offers it."""
    return _(_clock(key).about)


def short(key: str) -> str:
    """Return the short description of a time control, for lists of tables."""
    return _(_clock(key).short)


def _clock(key: str) -> Clock:
    # A match with a clock that this version does not know has no deadlines.
    return CLOCKS.get(key, CLOCKS[NONE])
