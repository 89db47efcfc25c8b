"""What tests of mine share."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.db.models import Deadline, Player
from pbem.play.accounts import login_sessions
from tests.support.web.site import visitor

if TYPE_CHECKING:
    from tests.support.house import House
    from tests.support.pages import Visitor


def signed_in(house: House, name: str = "Ann") -> Visitor:
    """Somebody whose browser has shown who they are."""
    site = visitor(house, keeps=True)
    with house.transaction() as ctx:
        player = ctx.session.scalars(select(Player).where(Player.name == name)).one()
        secret = login_sessions.start(ctx, player, "a browser")
    site.client.set_cookie("pbem", secret, domain="127.0.0.1")
    return site


def due(house: House, match_id: str, at: datetime) -> None:
    with house.transaction() as ctx:
        ctx.session.merge(Deadline(match_id=match_id, seat=1, ply=1, asked_at=at - timedelta(days=3), due_at=at))
