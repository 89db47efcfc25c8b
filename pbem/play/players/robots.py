"""Robots: players for whom the service plays the moves that the game suggests.

Their names are reserved, so that everybody recognises them wherever a name appears.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert

from pbem.db.models import Player, SeatHolder
from pbem.play.players import registry

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pbem.db.models import Match
    from pbem.play.core.context import Context


def unused_name(taken: Iterable[str]) -> str:
    """Return a name for a robot that is unique in its match."""
    return registry.unique_name(registry.ROBOT_NAME, taken)


def take_seat(ctx: Context, match: Match, number: int, called: str | None = None) -> SeatHolder:
    """Seat a robot in a vacant seat of a match, under a name that nobody in the match has ever had."""
    if called is None:
        called = unused_name(ctx.session.scalars(select(SeatHolder.name).where(SeatHolder.match_id == match.id)))
    holder = SeatHolder(
        match_id=match.id,
        seat=number,
        player=_get_or_create(ctx, called),
        name=called,
        email="",
        generation=1,
        seated_at=ctx.now,
    )
    ctx.session.add(holder)
    ctx.session.flush()
    return holder


def _get_or_create(ctx: Context, called: str) -> Player:
    """Return the robot player of a name, shared by all matches; create it if needed."""
    known = select(Player).where(Player.is_robot, Player.name == called)
    found = ctx.session.scalar(known)
    if found is None:
        row = {"name": called, "created_at": ctx.now, "is_robot": True}
        ctx.session.execute(insert(Player).values(row).on_conflict_do_nothing())
        found = ctx.session.scalars(known).one()
    return found
