"""Links that stop the mail about each week that begins: signed, and valid for good, as mail programs keep them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.db.models import Player
from pbem.play.notifications import signed_links

if TYPE_CHECKING:
    from pbem.config import Config
    from pbem.play.core.context import Context

_SALT = "pbem weekly stop"


def page(config: Config, player: int, key: str) -> str:
    """Return the URL of the page that stops a player's mail, signed with the key of that ID."""
    return f"{config.base_url}/weekly/stop/{signed_links.sign(config, _SALT, player, key)}"


def find(ctx: Context, typed: str) -> Player | None:
    """Return the player whose mail a link stops; None if it is not ours, or they are gone."""
    number = signed_links.load(ctx.config, _SALT, typed)
    player = ctx.session.get(Player, number) if isinstance(number, int) else None
    return player if player and player.deleted_at is None else None
