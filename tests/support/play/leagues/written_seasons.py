"""Seasons of leagues, written into the database by hand: for tests of how they are shown."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from pbem.db.models import Entrant, Event, EventMatch
from pbem.states import EntrantState, EventState, MatchRole, MatchState
from tests.support.ended import ended
from tests.support.play.events.entering import BEGUN, open_event, person

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from tests.support.house import House

FIVE = ("Ann", "Bob", "Cyd", "Dee", "Eve")


def draw(house: House, event: int, *groups: Sequence[str], state: EventState = EventState.RUNNING) -> None:
    """Write down the groups of an event whose matches are being played."""
    with house.transaction(BEGUN - timedelta(days=9)) as ctx:
        for number, names in enumerate(groups, 1):
            for name in names:
                one = Entrant(event_id=event, player_id=person(ctx, name).id, name=name, grp=number, entered_at=ctx.now)
                ctx.session.add(one)
        ctx.session.get_one(Event, event).state = state


def season(house: House, *groups: Sequence[str], state: EventState = EventState.RUNNING, **more: Any) -> int:
    """Write down a season whose groups are drawn."""
    event = open_event(house, **more)
    draw(house, event, *groups or (FIVE,), state=state)
    return event


def play(house: House, event: int, *names: str, group: int = 1, role: str = MatchRole.COUNTS, **more: Any) -> str:
    """Write down a match of a season, the first of its players the best unless more is said; it ended some days in."""
    row: dict[str, Any] = {"event_id": event, "game": "montauk", "days": 5} | more
    if "ended_at" not in row:
        row["ended_at"] = BEGUN + timedelta(days=row["days"])
    match = ended(house, *names, **row)
    return add(house, event, match, group, role)


def begin(house: House, event: int, *names: str, group: int = 1, role: str = MatchRole.COUNTS, **more: Any) -> str:
    """Write down a match of a season that is being played."""
    row: dict[str, Any] = {"game": "montauk", "state": MatchState.RUNNING, "ended_at": None, "result": None}
    return add(house, event, ended(house, *names, event_id=event, **row | more), group, role)


def add(house: House, event: int, match: str, group: int, role: str) -> str:
    with house.transaction() as ctx:
        ctx.session.add(EventMatch(match_id=match, event_id=event, grp=group, role=MatchRole(role)))
    return match


def play_all(house: House, event: int, names: Sequence[str], group: int = 1) -> list[str]:
    """Write down that all matches of a group of five are over, each won by who stands earlier."""
    return [play(house, event, one, other, group=group) for one, other in _pairs(names)]


def leave(house: House, event: int, name: str, at: datetime) -> None:
    """Write down that somebody left."""
    with house.transaction(at) as ctx:
        one = ctx.session.get_one(Entrant, (event, person(ctx, name).id))
        one.state, one.left_at, one.left_reason = EntrantState.WITHDRAWN, at, "asked"


def _pairs(names: Sequence[str]) -> Iterable[tuple[str, str]]:
    return ((one, other) for number, one in enumerate(names) for other in names[number + 1 :])
