"""Vacations, as ladders take them into account."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.db.models import ClockPause
from pbem.states import PauseReason

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from datetime import datetime

    from sqlalchemy import ColumnElement

    from pbem.play.core.context import Context

    Span = tuple[datetime, datetime]
    """Begin and end."""


def away(ctx: Context, players: Collection[int]) -> frozenset[int]:
    """Return which of some players are on vacation now."""
    theirs = select(ClockPause.player_id).where(*_of(players), ClockPause.started_at <= ctx.now)
    found = ctx.session.scalars(theirs.where(ClockPause.ended_at > ctx.now))
    return frozenset(player for player in found if player is not None)


def load(ctx: Context, players: Collection[int], since: datetime) -> dict[int, list[Span]]:
    """Load the vacations of players that last beyond a time, in the order of their beginnings."""
    columns = ClockPause.player_id, ClockPause.started_at, ClockPause.ended_at
    rows = ctx.session.execute(
        select(*columns).where(*_of(players), ClockPause.ended_at > since).order_by(ClockPause.started_at)
    )
    found: dict[int, list[Span]] = {player: [] for player in players}
    for player, begin, end in rows:
        if player is not None and end is not None:
            found[player].append((begin, end))
    return found


def time_in(spans: Iterable[Span], since: datetime, now: datetime) -> timedelta:
    """Return how much of the time since a moment is in some spans; where they overlap it counts once."""
    reached, total = since, timedelta()
    for begin, end in spans:
        total += max(min(end, now) - max(begin, reached), timedelta())
        reached = max(reached, min(end, now))
    return total


def _of(players: Collection[int]) -> tuple[ColumnElement[bool], ...]:
    return ClockPause.player_id.in_(players), ClockPause.reason == PauseReason.AWAY.value
