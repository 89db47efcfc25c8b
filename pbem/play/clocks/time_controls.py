"""Clocks: how long a player may think about a move, chosen when a match is made and kept for all of it.

Matches keep the key; what a key means never changes while a match that began with it may run.
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
"""The clock of a match without deadlines."""
USUAL = "3 days"
"""The clock that the form offers first."""
_OFTEN = 3
"""Whoever has a bank can take about so many increments for a move, again and again."""


@dataclass(frozen=True, slots=True)
class Clock:
    """A way to play against time, with the sentence that a form offers it by and a short one for lists."""

    key: str
    settings: Settings
    about: str
    short: str

    @property
    def days(self) -> int | None:
        """How many days there are for a move; None where there is no end to them."""
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
"""All clocks by the key that matches keep, the briskest first."""


def settings(key: str) -> Settings:
    """Give how a match with this clock is timed."""
    return _clock(key).settings


def days(key: str) -> int | None:
    """Give how many days there are for a move; None where there is no end to them."""
    return _clock(key).days


def per_move(count: int) -> str | None:
    """Find the plain clock of so many days for a move; None where there is none."""
    wanted = _per_move(count)
    return next((key for key, clock in CLOCKS.items() if clock.settings == wanted), None)


def about(key: str) -> str:
    """Say what a clock means, as a form offers it."""
    return _(_clock(key).about)


def short(key: str) -> str:
    """Say what a clock means in a few words, as a list of tables does."""
    return _(_clock(key).short)


def _clock(key: str) -> Clock:
    # A match may keep a clock that this version has never heard of: it has no deadlines then.
    return CLOCKS.get(key, CLOCKS[NONE])
