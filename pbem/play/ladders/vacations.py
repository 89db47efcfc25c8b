"""Vacations, as ladders take them into account."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.db.models import ClockPause
from pbem.states import PauseReason

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from pbem.play.core.context import Context


def away(ctx: Context, players: Collection[int]) -> frozenset[int]:
    """Return which of some players are on vacation now."""
    theirs = select(ClockPause.player_id).where(*_of(players), ClockPause.started_at <= ctx.now)
    found = ctx.session.scalars(theirs.where(ClockPause.ended_at > ctx.now))
    return frozenset(player for player in found if player is not None)


def time_away(ctx: Context, player: int, since: datetime) -> timedelta:
    """Return for how long a player has been on vacation since a time; vacations that overlap count once."""
    spans = select(ClockPause.started_at, ClockPause.ended_at).where(*_of([player]), ClockPause.ended_at > since)
    reached, total = since, timedelta()
    for begin, end in ctx.session.execute(spans.order_by(ClockPause.started_at)):
        total += max(min(end, ctx.now) - max(begin, reached), timedelta())
        reached = max(reached, min(end, ctx.now))
    return total


def _of(players: Collection[int]) -> tuple[object, ...]:
    return ClockPause.player_id.in_(players), ClockPause.reason == PauseReason.AWAY.value
