"""Seasons that are drawn and begun by the service, for tests of what happens in them."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from pbem.db.models import Entrant, Event, Match, OutboxMessage, SeatHolder
from pbem.play.leagues import leaving, rules
from pbem.play.lifecycle import endings
from pbem.play.matches.match_state import load_match, lock_match
from pbem.play.matches.seats import holders
from tests.support.house import address
from tests.support.play.events.entering import BEGUN, DRAWN, OPENED, enter, open_event, person
from tests.support.play.leagues import by_mail

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from tests.support.house import House

DAY = timedelta(days=1)
FIVE = ("Ann", "Bob", "Cyd", "Dee", "Eve")
SEVEN = (*FIVE, "Fay", "Gus")
TEN = (*SEVEN, "Hal", "Ivy", "Joe")


def opened(house: House, game: str = "montauk", **more: Any) -> int:
    """Insert a season of a league as it is opened, by its rules."""
    league = rules.LEAGUES[game]
    return open_event(house, game, options=dict(league.options), time_control=league.time_control, **more)


def entered(house: House, event: int, names: Sequence[str], **more: Any) -> None:
    """Enter some people, one after the other."""
    for number, name in enumerate(names):
        enter(house, event, name, OPENED + timedelta(hours=number), **more)


def drawn(house: House, *names: str, game: str = "montauk") -> int:
    """Draw and arrange a season of some people."""
    event = opened(house, game)
    entered(house, event, names)
    by_mail.run(house, DRAWN)
    return event


def begun(house: House, *names: str, game: str = "montauk") -> int:
    """Draw and begin a season of some people."""
    event = drawn(house, *names, game=game)
    by_mail.run(house, BEGUN)
    return event


def leave(house: House, event: int, name: str, at: datetime, **more: Any) -> None:
    """Withdraw somebody from a season."""
    with house.transaction(at) as ctx:
        leaving.leave(ctx, ctx.session.get_one(Event, event), person(ctx, name).id, **more)


def consequence(house: House, event: int, name: str, at: datetime) -> str:
    """Return the sentence for what leaving would do."""
    with house.transaction(at) as ctx:
        return leaving.consequence(ctx, ctx.session.get_one(Event, event), person(ctx, name).id)


def resign(house: House, match_id: str, name: str, at: datetime) -> None:
    """Resign a match for somebody."""
    with house.transaction(at) as ctx:
        match = lock_match(ctx, match_id)
        own = next(one for one in holders(ctx, match) if one.email == address(name))
        endings.resign(ctx, load_match(ctx, match), own)


def lose_on_time(house: House, match_id: str, name: str, at: datetime) -> None:
    """End a match since somebody's time has run out."""
    with house.transaction(at) as ctx:
        match = lock_match(ctx, match_id)
        endings.lose_on_time(ctx, match, [one for one in holders(ctx, match) if one.email == address(name)])


def matches_of(house: House, *names: str) -> list[str]:
    """Return the matches in which all of some people sit."""
    seated = [
        {*house.all(select(SeatHolder.match_id).where(SeatHolder.email == address(name), SeatHolder.left_at.is_(None)))}
        for name in names
    ]
    return sorted(set.intersection(*seated))


def seated(house: House, match_id: str) -> list[tuple[str, bool]]:
    """Return who sits in a match, and who of them is a robot."""
    with house.transaction() as ctx:
        return [(one.email, one.player.is_robot) for one in holders(ctx, ctx.session.get_one(Match, match_id))]


def groups(house: House, event: int) -> list[list[str]]:
    """Return the names of those in each group."""
    rows = house.rows(select(Entrant.grp, Entrant.name).where(Entrant.event_id == event, Entrant.grp.is_not(None)))
    return [sorted(name for grp, name in rows if grp == number) for number in sorted({grp for grp, _name in rows})]


def mailed(house: House, kind: str) -> list[str]:
    """Return the names of those who are mailed of some kind."""
    return sorted(row["name"] for row in house.all(select(OutboxMessage.render_data).where(OutboxMessage.kind == kind)))
