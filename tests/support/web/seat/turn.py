"""What tests of seats share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select, update

from pbem.db.models import LogEntry, Match, OutboxMessage
from pbem.play.core import tokens
from pbem.play.matches.seats import holders
from pbem.states import OutboxState

if TYPE_CHECKING:
    from tests.support.house import House
    from tests.support.pages import Page, Visitor


def log(house: House, match_id: str) -> list[str]:
    wanted = select(LogEntry).where(LogEntry.match_id == match_id).order_by(LogEntry.number)
    return [entry.move or entry.event for entry in house.all(wanted)]


def turn(site: Visitor, house: House, name: str = "Ann") -> Page:
    """Open the turn that somebody was mailed last, even if its mail is held since they sit at their page."""
    with house.transaction() as ctx:
        held = OutboxMessage.state == OutboxState.PENDING, OutboxMessage.due_at > ctx.now
        ctx.session.execute(update(OutboxMessage).where(*held).values(due_at=ctx.now))
    return site.open(f"/m/{house.last(name).token}")


def present(site: Visitor, house: House, match_id: str, name: str) -> Page:
    """Open the link that a seat's mails of the present stage hold, whether they print it or not."""
    with house.transaction() as ctx:
        match = ctx.session.get_one(Match, match_id)
        holder = next(holder for holder in holders(ctx, match) if holder.name == name)
        key = tokens.issue(ctx, holder, match.ply)
        token = tokens.rederive(ctx, holder, tokens.LINK, match.ply, key)
    return site.open(f"/m/{token}")
