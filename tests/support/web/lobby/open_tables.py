"""What tests of lobby share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.play.accounts import login_sessions
from pbem.play.lifecycle.match_requests import Invitee
from pbem.play.players import registry
from tests.support.creating import create_match
from tests.support.house import address
from tests.support.pages import Visitor
from tests.support.web.site import visitor

if TYPE_CHECKING:
    from tests.support.house import House


def opened(house: House, game: str = "martian-whist", name: str = "Ann", seats: int = 1, **more: Any) -> str:
    """Open a table with seats for anybody; gives its match."""
    with house.transaction() as ctx:
        guest = Invitee(name, address(name))
        more = {"rated": False} | more
        made = create_match(ctx, game, more.pop("options", {}), [guest], creator=1, open_seats=seats, **more)
        return made.id


def signed_in(house: House, name: str) -> Visitor:
    """Open the pages as somebody whose address is verified."""
    someone = visitor(house)
    with house.transaction() as ctx:
        player = registry.get_or_create(ctx, {address(name): name})[address(name)]
        registry.mark_verified(ctx, address(name))
        secret = login_sessions.start(ctx, player, "a browser")
    app = someone.client.application
    someone = Visitor(app.test_client())
    someone.client.set_cookie("pbem", secret, domain="127.0.0.1")
    return someone
