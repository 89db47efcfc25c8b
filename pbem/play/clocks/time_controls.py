"""Time controls that a match can be created with, and that of leagues; a match keeps its own to the end.

Matches store the key. The meaning of a key never changes while a match that began with it may run.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from pbem.i18n import _, marked
from pbem.play.clocks.calculation import DAY, TimeControl

if TYPE_CHECKING:
    from collections.abc import Mapping

UNLIMITED = "none"
"""Key of the time control without deadlines."""
LEAGUE, LEAGUE_TABLE = "league", "league table"
"""Keys of the time controls of leagues, by which a season ends: for two seats, and for more."""
DEFAULT = "3 days"
"""Key of the time control that the form offers first."""
_INCREMENTS_PER_MOVE = 3
"""Increments that a player with a bank is assumed to take for a move, again and again."""


@dataclass(frozen=True, slots=True)
class TimeControlPreset:
    """A time control, with its description for the form and a short one for lists."""

    key: str
    settings: TimeControl
    about: str
    short: str

    @property
    def days(self) -> int | None:
        """Days for a move, or None if there is no limit."""
        if self.settings.bank is not None:
            return (self.settings.increment * _INCREMENTS_PER_MOVE).days
        return self.settings.per_move.days if self.settings.per_move else None


def _fixed_time(days: int, *, weekends_free: bool = False) -> TimeControl:
    return TimeControl(per_move=timedelta(days=days), weekends_free=weekends_free)


PRESETS: dict[str, TimeControlPreset] = {
    clock.key: clock
    for clock in (
        TimeControlPreset("1 day", _fixed_time(1), marked("Brisk: a day for each move"), marked("a day a move")),
        TimeControlPreset(
            DEFAULT, _fixed_time(3), marked("Usual: three days for each move"), marked("three days a move")
        ),
        TimeControlPreset(
            "weekend",
            _fixed_time(3, weekends_free=True),
            marked("Weekends free: three days for each move; Saturdays and Sundays do not count"),
            marked("three days a move, weekends free"),
        ),
        TimeControlPreset("7 days", _fixed_time(7), marked("A week for each move"), marked("a week a move")),
        TimeControlPreset(
            "relaxed",
            TimeControl(bank=14 * DAY, increment=DAY, cap=21 * DAY),
            marked("Relaxed: two weeks at the start, one more day with each move, at most three weeks"),
            marked("two weeks, plus a day with each move"),
        ),
        TimeControlPreset(
            UNLIMITED, TimeControl(), marked("No deadlines: as long as you like"), marked("no deadlines")
        ),
    )
}
"""The time controls that a match can be created with, by the key that it stores, the fastest first."""


def _league_bank(days: int) -> TimeControl:
    bank = days * DAY
    return TimeControl(
        bank=bank, increment=DAY / 2, cap=bank, max_away=14 * DAY, max_paused=7 * DAY, extra_within_cap=True
    )


_OF_LEAGUES = (
    TimeControlPreset(
        LEAGUE,
        _league_bank(21),
        marked("League: three weeks at the start, twelve more hours with each move, at most three weeks"),
        marked("three weeks, plus twelve hours with each move"),
    ),
    TimeControlPreset(
        LEAGUE_TABLE,
        _league_bank(16),
        marked("League of larger tables: 16 days at the start, twelve more hours with each move, at most 16 days"),
        marked("16 days, plus twelve hours with each move"),
    ),
)
_ALL: Mapping[str, TimeControlPreset] = PRESETS | {clock.key: clock for clock in _OF_LEAGUES}


def control_for(key: str) -> TimeControl:
    """Return the time control of a key."""
    return _preset(key).settings


def days_per_move(key: str) -> int | None:
    """Return the days for a move, or None if there is no limit."""
    return _preset(key).days


def find_per_move(count: int) -> str | None:
    """Find the key of the plain time control with that many days per move, or None."""
    wanted = _fixed_time(count)
    return next((key for key, clock in PRESETS.items() if clock.settings == wanted), None)


def description(key: str) -> str:
    """Return the description of a time control, as the form offers it."""
    return _(_preset(key).about)


def short_description(key: str) -> str:
    """Return the short description of a time control, for lists of tables."""
    return _(_preset(key).short)


def _preset(key: str) -> TimeControlPreset:
    # A match with a clock that this version does not know has no deadlines.
    return _ALL.get(key, PRESETS[UNLIMITED])
