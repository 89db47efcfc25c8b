"""Fields for tests: the steps of a moment, and tables that are played to their end."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.db.models import DealSet, Event, Match
from pbem.games import Seat
from pbem.play.deadlines import turn_deadlines
from pbem.play.events import entries, field_calendar, field_end, field_sets, field_start
from pbem.play.events.field_calendar import FIELD_GAMES, FieldGame
from pbem.play.lifecycle import endings
from pbem.play.matches.match_state import load_match, lock_match, play_move
from pbem.play.upkeep import deal_openings
from pbem.states import EventKind, MatchState
from tests.support.play.events.entering import OPENED, person

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from pbem.play.events.field_sets import FieldDeal
    from tests.support.house import House

PEOPLE = {"montauk": ("Ann", "Bob", "Cyd", "Dee"), "martian-trickery": ("Ann", "Bob", "Cyd", "Dee", "Eve", "Fay")}
"""As many people as a field of a game needs."""
DAY = timedelta(days=1)

STEPS = (
    field_end.call_off_due,
    deal_openings.open_due,
    field_end.finish_due,
    field_start.begin_due,
    field_calendar.open_due,
)


@pytest.fixture
def of_three_seats(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fields of a game of three seats."""
    monkeypatch.setitem(FIELD_GAMES, "martian-trickery", FieldGame(3, {"hands": 1}))


def run_steps(house: House, at: datetime = OPENED) -> None:
    """Do all that is due for fields at a moment, in the order of the worker."""
    for step in STEPS:
        more = True
        while more:
            with house.transaction(at) as ctx:
                more = step(ctx)


def newest(house: House, game: str = "montauk") -> Event:
    """Return the field of a game that was opened last."""
    events = select(Event).where(Event.kind == EventKind.FIELD, Event.game == game).order_by(Event.season.desc())
    found: Event = house.all(events)[0]
    return found


def start(event: Event) -> datetime:
    """Return when a field begins, or began."""
    assert event.starts_at
    return event.starts_at


def load(house: House, event: Event) -> Event:
    """Return a field as it is now."""
    with house.transaction() as ctx:
        found: Event = ctx.session.get_one(Event, event.id)
        return found


def open_field(
    house: House, game: str = "montauk", names: Sequence[str] = (), at: datetime = OPENED, **more: str
) -> Event:
    """Open the fields, and enter some people into that of a game; `more` are texts that they typed, by name."""
    run_steps(house, at)
    event = newest(house, game)
    for name in names:
        with house.transaction(at) as ctx:
            field = ctx.session.get_one(Event, event.id)
            entries.enter(ctx, field, person(ctx, name), name, text=more.get(name, ""), stays=False)
    return event


def begin_field(
    house: House, game: str = "montauk", names: Sequence[str] = (), at: datetime = OPENED, **more: str
) -> Event:
    """Begin a field of a game with some people, by default as few as it takes."""
    event = open_field(house, game, names or PEOPLE[game], at, **more)
    run_steps(house, start(event))
    return load(house, event)


def sets(house: House, event: Event) -> list[str]:
    """List the ids of the deals of a field."""
    with house.transaction() as ctx:
        return [one.id for one in field_sets.sets_of(ctx, event)]


def tables(house: House, set_id: str) -> list[str]:
    """List the matches of a deal by place."""
    return house.all(select(Match.id).where(Match.set_id == set_id).order_by(Match.set_place))


def play(house: House, match_id: str, at: datetime, moves: int = 1000, choice: int = 0) -> None:
    """Play a match on with what the game suggests, at most so many moves; `choice` is another of the suggestions."""
    for _number in range(moves):
        with house.transaction(at) as ctx:
            match = lock_match(ctx, match_id)
            if match.state != MatchState.RUNNING:
                return
            course = load_match(ctx, match)
            seat = Seat(match.to_move[0])
            suggested = course.game.suggest(course.position, seat)
            course = play_move(ctx, course, seat, suggested[min(choice, len(suggested) - 1)], at)
            turn_deadlines.sync(ctx, course.match)
            if course.game.outcome(course.position):
                endings.finish(ctx, course)


def play_deal(house: House, set_id: str, at: datetime) -> None:
    """Play all tables of a deal to their end, each with other choices, and do what is due then."""
    for number, match_id in enumerate(tables(house, set_id)):
        play(house, match_id, at, choice=number)
    run_steps(house, at)


def play_field(house: House, event: Event, days: int = 3) -> None:
    """Play all tables of a field to their end."""
    for set_id in sets(house, event):
        play_deal(house, set_id, start(event) + days * DAY)


def deals(house: House, event: Event) -> list[FieldDeal]:
    """Load the deals of a field."""
    with house.transaction() as ctx:
        return field_sets.load_deals(ctx, ctx.session.get_one(Event, event.id))


def deal_set(house: House, set_id: str) -> DealSet:
    with house.transaction() as ctx:
        found: DealSet = ctx.session.get_one(DealSet, set_id)
        return found


def seats_of(game: str) -> int:
    return FIELD_GAMES[game].seats
