"""Robots: players that are no people, for whom the service plays what the game itself suggests.

They are called what no person may be called, so that everybody knows them wherever a name stands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert

from pbem.db.models import Holder, Player
from pbem.play.players import registry

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pbem.db.models import Match
    from pbem.play.core.context import Context


def name(taken: Iterable[str]) -> str:
    """Call a robot otherwise than all others at its table."""
    return registry.apart(registry.ROBOT, taken)


def seat(ctx: Context, match: Match, number: int, called: str | None = None) -> Holder:
    """Seat a robot at a place of a match where nobody sits; nobody at the match was ever called as it is."""
    if called is None:
        called = name(ctx.session.scalars(select(Holder.name).where(Holder.match_id == match.id)))
    holder = Holder(
        match_id=match.id,
        seat=number,
        player=_player(ctx, called),
        name=called,
        email="",
        generation=1,
        since=ctx.now,
    )
    ctx.session.add(holder)
    ctx.session.flush()
    return holder


def _player(ctx: Context, called: str) -> Player:
    """Find the robot of a name, the same at all tables; the first time it is made."""
    known = select(Player).where(Player.bot, Player.name == called)
    found = ctx.session.scalar(known)
    if found is None:
        row = {"name": called, "created_at": ctx.now, "bot": True}
        ctx.session.execute(insert(Player).values(row).on_conflict_do_nothing())
        found = ctx.session.scalars(known).one()
    return found
