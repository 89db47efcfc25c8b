"""What tests of me share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from pbem.db.models import Player
from pbem.play.accounts import login_sessions
from pbem.play.players import registry
from tests.support.house import address
from tests.support.web.site import visitor

if TYPE_CHECKING:
    from tests.support.house import House
    from tests.support.pages import Visitor

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0"


def signed_in(house: House, name: str = "Ann", agent: str = FIREFOX) -> Visitor:
    """Somebody who is signed in, in a browser of their own; an account with a verified address is made at need."""
    browser = visitor(house, keeps=True)
    with house.transaction() as ctx:
        player = registry.get_or_create(ctx, {address(name): name})[address(name)]
        registry.mark_verified(ctx, address(name))
        secret = login_sessions.start(ctx, player, agent)
    browser.client.set_cookie("pbem", secret, domain="127.0.0.1")
    return browser


def kept(house: House, *fields: str, name: str = "Ann") -> tuple[Any, ...]:
    (player,) = house.all(select(Player).where(Player.name == name))
    return tuple(getattr(player, field) for field in fields)
