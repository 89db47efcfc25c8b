"""What tests of events share: players whose programs follow them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.db.models import PlayerEvent
from pbem.play.accounts import api_keys
from pbem.play.players import registry
from tests.support.house import address

if TYPE_CHECKING:
    from tests.support.house import House


def listen(house: House, name: str, *scopes: str) -> int:
    """Create a key for somebody; return the number of the player."""
    with house.transaction() as ctx:
        player = registry.get_or_create(ctx, {address(name): name})[address(name)]
        ctx.session.flush()
        registry.mark_verified(ctx, address(name))
        api_keys.create(ctx, player.id, "Program", scopes or ("read",))
        return player.id


def events_of(house: House, player: int) -> list[PlayerEvent]:
    return house.all(select(PlayerEvent).where(PlayerEvent.player_id == player).order_by(PlayerEvent.id))


def kinds_of(house: House, player: int) -> list[str]:
    return [event.kind for event in events_of(house, player)]
