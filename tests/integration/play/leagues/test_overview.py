"""Leagues at a glance: their seasons, and a player's own."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from pbem.db.models import Event
from pbem.play.leagues import overview
from pbem.states import EventKind, EventState
from tests.support.play.events.entering import OPENED, enter, open_event, person, withdraw
from tests.support.play.leagues.written_seasons import begin, draw, play, season

if TYPE_CHECKING:
    from tests.support.house import House

HOUR = timedelta(hours=1)


def test_each_league_has_its_seasons_by_what_can_be_done_with_them(house: House) -> None:
    first = season(house, state=EventState.OVER)
    second = season(house, season=2)
    third = season(house, season=3, state=EventState.DRAWN)
    fourth = open_event(house, season=4)
    whist = season(house, ("Ann", "Bob"), game="martian-whist", state=EventState.DRAWN)
    open_event(house, kind=EventKind.LADDER)
    with house.transaction() as ctx:
        one, other = overview.leagues(ctx)
    assert (one.game, other.game) == ("martian-whist", "montauk")
    assert one.upcoming is None
    assert [current.event.id for current in one.current] == [whist]
    assert other.upcoming is not None
    assert [current.event.id for current in other.current] == [third, second]
    assert other.upcoming.event.id == fourth
    assert [past.event.id for past in other.past] == [first]
    assert ([current.entrants for current in other.current], other.upcoming.entrants) == ([5, 5], 0)


def test_a_reader_sees_their_own_entry_until_they_leave(house: House) -> None:
    event = open_event(house)
    enter(house, event, "Ann")
    enter(house, event, "Bob")

    def seen(name: str) -> tuple[int, bool, bool]:
        with house.transaction(OPENED) as ctx:
            one = overview.season(ctx, event, person(ctx, name).id)
            assert one is not None
            return one.entrants, one.has_entered, overview.takes_entries(ctx, one)

    assert (seen("Ann"), seen("Cyd")) == ((2, True, False), (2, False, True))
    withdraw(house, event, "Ann")
    assert seen("Ann") == (1, False, True)


def test_a_season_is_found_by_its_number_alone_and_ladders_are_none(house: House) -> None:
    ladder = open_event(house, kind=EventKind.LADDER)
    with house.transaction() as ctx:
        assert overview.season(ctx, ladder) is None
        assert overview.season(ctx, ladder + 1) is None


def test_ones_own_seasons_are_those_that_are_not_over(house: House) -> None:
    season(house, state=EventState.OVER)
    event = season(house, season=2)
    play(house, event, "Ann", "Bob")
    begin(house, event, "Ann", "Cyd")
    begin(house, event, "Bob", "Cyd")
    with house.transaction() as ctx:
        (own,) = overview.own_seasons(ctx, person(ctx, "Ann").id)
        assert (own.event.id, own.entrant.name, own.matches, own.over) == (event, "Ann", 2, 1)
        assert overview.progress(ctx, ctx.session.get_one(Event, event)) == (1, 3, 1)
        assert overview.own_seasons(ctx, person(ctx, "Zoe").id) == []


def test_those_without_a_group_are_all_before_the_draw_and_later_those_who_wait(house: House) -> None:
    event = open_event(house)
    for number, name in enumerate(("Cyd", "Ann", "Bob", "Dee")):
        enter(house, event, name, OPENED + number * HOUR)
    withdraw(house, event, "Ann")

    def names(most: int = 9) -> list[str]:
        with house.transaction() as ctx:
            return overview.undrawn(ctx, ctx.session.get_one(Event, event), most)

    assert (names(), names(2)) == (["Cyd", "Bob", "Dee"], ["Cyd", "Bob"])
    draw(house, event, ("Eve",))
    assert names() == ["Cyd", "Bob", "Dee"]
