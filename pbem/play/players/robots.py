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
    from pbem.play.core.context import Table


def name(taken: Iterable[str]) -> str:
    """Call a robot otherwise than all others at its table."""
    return registry.apart(registry.ROBOT, taken)


def seat(table: Table, match: Match, number: int, called: str | None = None) -> Holder:
    """Seat a robot at a place of a match where nobody sits; nobody at the match was ever called as it is."""
    if called is None:
        called = name(table.session.scalars(select(Holder.name).where(Holder.match_id == match.id)))
    holder = Holder(
        match_id=match.id,
        seat=number,
        player=_player(table, called),
        name=called,
        email="",
        generation=1,
        since=table.now,
    )
    table.session.add(holder)
    table.session.flush()
    return holder


def _player(table: Table, called: str) -> Player:
    """Find the robot of a name, the same at all tables; the first time it is made."""
    known = select(Player).where(Player.bot, Player.name == called)
    found = table.session.scalar(known)
    if found is None:
        row = {"name": called, "created_at": table.now, "bot": True}
        table.session.execute(insert(Player).values(row).on_conflict_do_nothing())
        found = table.session.scalars(known).one()
    return found
