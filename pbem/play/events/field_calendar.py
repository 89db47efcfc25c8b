"""The calendar of fields: for each game one takes entries until it begins, in the middle of a month.

Its deals are committed to when it opens, so that everybody can see the commitments before they type a text.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from pbem.db.models import Event
from pbem.games import GAMES
from pbem.play.clocks import time_controls
from pbem.play.deal_sets.creation import create_set
from pbem.states import DealSetKind, EventKind, EventState

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pbem.play.core.context import Context

START_DAY, START_HOUR = 15, 12
"""Day of the month and hour (UTC) at which fields begin."""
MIN_NOTICE = timedelta(days=7)
"""Minimum time for which a field takes entries."""
LONGEST = timedelta(days=120)
"""Time after which the matches that still run are called off."""
MIN_TABLES = 2
"""Number of tables that must be filled with people."""

_LOCK_ID = 7_276_112_031


@dataclass(frozen=True, slots=True)
class FieldGame:
    """A game of which there are fields: its seats, as many deals, and its options."""

    seats: int
    options: Mapping[str, object]

    @property
    def deals(self) -> int:
        """The number of deals: everybody plays one in each seat."""
        return self.seats

    @property
    def min_people(self) -> int:
        """The number of people without whom a field does not begin."""
        return MIN_TABLES * self.seats


FIELD_GAMES: Mapping[str, FieldGame] = {
    "montauk": FieldGame(2, {"rounds": 3}),
}
"""The games of which there are fields: those in which one takes fewer deals than plain matches to set players apart.

`python -m benchmarks.duplicates` measures that; Martian Trickery missed it.
"""
CLOCK = "league" if "league" in time_controls.PRESETS else time_controls.DEFAULT
"""Key of the time control of fields."""


def open_due(ctx: Context) -> bool:
    """Open a field of each game of which none takes entries; return False, since that is all."""
    if ctx.session.scalar(select(func.pg_try_advisory_xact_lock(_LOCK_ID))):
        taking = select(Event.game).where(Event.kind == EventKind.FIELD, Event.state == EventState.OPEN)
        open_games = set(ctx.session.scalars(taking))
        for game in FIELD_GAMES:
            if game not in open_games:
                _open(ctx, game)
    return False


def next_start(after: datetime) -> datetime:
    """Return when the first field begins that takes entries for long enough from a moment on."""
    earliest = (after + MIN_NOTICE).astimezone(UTC)
    month = earliest.replace(day=START_DAY, hour=START_HOUR, minute=0, second=0, microsecond=0)
    if month >= earliest:
        return month
    # The 15th of any month is less than 32 days after the one before.
    return (month + timedelta(days=31)).replace(day=START_DAY)


def _open(ctx: Context, game: str) -> None:
    """Insert the next field of a game with its deals."""
    known = select(func.max(Event.season)).where(Event.kind == EventKind.FIELD, Event.game == game)
    field = FIELD_GAMES[game]
    options = dict(GAMES[game].settle(field.seats, field.options))
    event = Event(
        kind=EventKind.FIELD,
        game=game,
        options=options,
        time_control=CLOCK,
        season=(ctx.session.scalar(known) or 0) + 1,
        state=EventState.OPEN,
        opens_at=ctx.now,
        starts_at=next_start(ctx.now),
    )
    ctx.session.add(event)
    ctx.session.flush()
    for _number in range(field.deals):
        create_set(ctx, DealSetKind.FIELD, game, options, event_id=event.id, starts_at=event.starts_at)
