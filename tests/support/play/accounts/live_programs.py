"""Keys of players of a service that runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.config import from_environment
from pbem.db.session import connect
from pbem.play.accounts import api_keys
from pbem.play.core.context import transaction
from pbem.play.players import registry
from tests.support.live_service import address

if TYPE_CHECKING:
    from tests.support.live_service import LiveService


def key_at(live_service: LiveService, name: str) -> str:
    """Create a key of all scopes for somebody whose address is verified."""
    config = from_environment(live_service.settings())
    engine = connect(config.database_url)
    with transaction(engine, config) as ctx:
        player = registry.get_or_create(ctx, {address(name): name})[address(name)]
        ctx.session.flush()
        registry.mark_verified(ctx, address(name))
        key = api_keys.create(ctx, player.id, "Bot", api_keys.SCOPES)
    engine.dispose()
    return key
