"""What tests of people to avoid share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.db.models import Avoidance, Player
from pbem.play.moderation import avoidance
from pbem.play.players import registry
from tests.support.house import address

if TYPE_CHECKING:
    from pbem.play.core.context import Context
    from tests.support.house import House


def player(ctx: Context, name: str) -> Player:
    """Return somebody whose address is verified; they need not have met anybody."""
    found = registry.get_or_create(ctx, {address(name): name})[address(name)]
    registry.mark_verified(ctx, address(name))
    return found


def avoids(house: House, who: str, whom: str) -> None:
    """Put somebody on the list of another one, whether they have met or not."""
    with house.transaction() as ctx:
        avoidance.add(ctx, player(ctx, who), player(ctx, whom), whom)


def avoids_no_more(house: House, who: str, whom: str) -> None:
    with house.transaction() as ctx:
        avoidance.remove(ctx, player(ctx, who).id, player(ctx, whom).id)


def listed(house: House, who: str) -> list[str]:
    """Return the names on somebody's list."""
    theirs = select(Avoidance.name).join(Player, Player.id == Avoidance.player_id).where(Player.name == who)
    return house.all(theirs.order_by(Avoidance.name))
