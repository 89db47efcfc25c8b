"""Matches that are over, and what came of asking for a rematch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select, update

from pbem.db.models import Match, Player, SeatHolder
from pbem.play.accounts import login_sessions
from tests.support.house import NAMES
from tests.support.web.site import visitor

if TYPE_CHECKING:
    from tests.support.house import House, Mail
    from tests.support.pages import Visitor


def finals(house: House, game: str, seats: int, resigns: str = "Ann", **more: object) -> dict[str, Mail]:
    """End a match by resignation; return everybody's last mail."""
    house.start_match(game, seats, **more)  # type: ignore[arg-type]
    for name in NAMES[:seats]:
        house.mails(name)
    mail = next(mail for mail in reversed(house.every_mail) if mail.name == resigns)
    house.reply(mail, "resign yes")
    return {name: house.last(name) for name in NAMES[:seats]}


def seated(house: House, match: Match) -> list[str]:
    present = select(SeatHolder.name).where(SeatHolder.match_id == match.id, SeatHolder.left_at.is_(None))
    return house.all(present.order_by(SeatHolder.seat))


def the_rematch(house: House) -> Match:
    (match,) = house.all(select(Match).where(Match.previous_match_id.is_not(None)))
    assert isinstance(match, Match)
    return match


def left(house: House, name: str) -> None:
    with house.transaction() as ctx:
        theirs = select(SeatHolder.player_id).where(SeatHolder.name == name)
        gone = update(Player).where(Player.id.in_(theirs)).values(deleted_at=ctx.now)
        ctx.session.execute(gone)


def signed_in(house: House, name: str) -> Visitor:
    """Return somebody's browser, in which they are signed in."""
    with house.transaction() as ctx:
        player = ctx.session.scalar(select(Player).join(Player.addresses).where(Player.name == name))
        if player is None:
            player = Player(name=name, language="en", created_at=ctx.now)
            ctx.session.add(player)
            ctx.session.flush()
        secret = login_sessions.start(ctx, player, "a browser")
    found = visitor(house, keeps=True)
    found.client.set_cookie("pbem", secret, domain="127.0.0.1")
    return found
