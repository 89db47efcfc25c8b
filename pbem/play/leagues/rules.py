"""The leagues: one for each game of two or more seats, with short options, and the days of their seasons."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from pbem.play.clocks import time_controls

if TYPE_CHECKING:
    from collections.abc import Mapping

RULES = 1
"""The number of these rules; an event keeps that of its own."""
BEGIN_HOUR = 9
"""Hour of the day, in UTC, at which a season begins, on the first day of a quarter."""
DRAW_BEFORE = timedelta(days=2)
"""Time between the draw of a season and its begin."""
NOTICE = timedelta(days=7)
"""Minimum time for entries before a draw."""
MAX_LENGTH = timedelta(days=130)
"""Maximum time for which a season waits for its last match."""
PAIR = 2
"""Seats of most leagues."""
_MONTHS_PER_QUARTER, _MONTHS_PER_YEAR = 3, 12


@dataclass(frozen=True, slots=True)
class League:
    """The league of a game: how many play at a table, and with which options."""

    game: str
    seats: int = PAIR
    options: Mapping[str, object] = field(default_factory=dict)

    @property
    def time_control(self) -> str:
        """The key of its clock."""
        return time_controls.LEAGUE if self.seats == PAIR else time_controls.LEAGUE_TABLE


LEAGUES: Mapping[str, League] = {
    league.game: league
    for league in (
        League("amazonian-buffet"),
        League("martian-trickery", 3, {"hands": 1}),
        League("martian-whist", options={"sets": 2}),
        League("montauk", options={"rounds": 3}),
    )
}
"""The leagues by game."""


def next_begin(now: datetime) -> datetime:
    """Return when the next season begins that leaves enough time for entries."""
    begin = datetime(now.year, 1, 1, BEGIN_HOUR, tzinfo=UTC)
    while begin - DRAW_BEFORE - NOTICE < now:
        begin = _quarter_later(begin)
    return begin


def _quarter_later(begin: datetime) -> datetime:
    years, month = divmod(begin.month - 1 + _MONTHS_PER_QUARTER, _MONTHS_PER_YEAR)
    return begin.replace(year=begin.year + years, month=month + 1)
