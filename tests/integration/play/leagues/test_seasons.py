"""Seasons: they are opened, put off, drawn and arranged once; who stays is entered again."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import func, select, update

from pbem.db.models import Entrant, Event, EventMatch, Match, PlayerRating, SeatHolder
from pbem.play.leagues import draws, leaving, rules, seasons
from pbem.states import EventState, MatchRole, MatchState
from tests.support.play.events.entering import BEGUN, DRAWN, OPENED, enter, listed, person, withdraw
from tests.support.play.leagues import by_mail
from tests.support.play.leagues.drawn import DAY, FIVE, drawn, entered, groups, leave, mailed, opened

if TYPE_CHECKING:
    from tests.support.house import House


def test_each_league_has_one_season_that_takes_entries(house: House) -> None:
    by_mail.run(house, OPENED)
    by_mail.run(house, OPENED + DAY)
    rows = house.rows(select(Event.game, Event.season, Event.starts_at, Event.time_control).order_by(Event.game))
    assert [tuple(row) for row in rows] == [
        (game, 1, BEGUN, rules.LEAGUES[game].time_control) for game in sorted(rules.LEAGUES)
    ]


def test_two_workers_at_once_open_one_season_of_each_league(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    leagues = rules.LEAGUES

    class Meanwhile(dict[str, rules.League]):
        def values(self) -> Any:
            # Another worker goes through all, after this one has looked which seasons are open.
            monkeypatch.setattr(rules, "LEAGUES", leagues)
            with house.transaction(OPENED) as ctx:
                seasons.open_due(ctx)
            return leagues.values()

    monkeypatch.setattr(rules, "LEAGUES", Meanwhile(leagues))
    with house.transaction(OPENED) as ctx:
        seasons.open_due(ctx)
    assert sorted(house.all(select(Event.game))) == sorted(leagues)


def test_with_fewer_than_three_a_season_is_put_off_for_a_quarter_and_they_stay(house: House) -> None:
    event = opened(house)
    entered(house, event, FIVE[:2])
    by_mail.run(house, DRAWN)
    by_mail.run(house, DRAWN + DAY)
    (season,) = by_mail.seasons(house)
    assert (season.state, season.starts_at) == (EventState.OPEN, BEGUN + 91 * DAY)
    assert listed(house, event) == [*FIVE[:2]]
    assert mailed(house, "season put off") == [*FIVE[:2]]


def test_a_season_is_drawn_and_arranged_once_and_the_next_takes_entries(house: House) -> None:
    event = drawn(house, *FIVE)
    by_mail.run(house, DRAWN + timedelta(hours=1))
    assert [(one.season, one.state) for one in by_mail.seasons(house)] == [(1, EventState.DRAWN), (2, EventState.OPEN)]
    assert house.all(select(func.count()).select_from(EventMatch)) == [10]
    rows = house.rows(select(Match.state, Match.event_id, Match.timeout_policy, Match.rated).distinct())
    assert [tuple(row) for row in rows] == [(MatchState.INVITING, event, "loss", True)]
    assert mailed(house, "season") == [*FIVE]
    assert not mailed(house, "invitation")


def test_nothing_begins_before_its_time(house: House) -> None:
    drawn(house, *FIVE)
    by_mail.run(house, BEGUN - timedelta(minutes=1))
    assert {*house.all(select(Match.state))} == {MatchState.INVITING}
    by_mail.run(house, BEGUN)
    assert {*house.all(select(Match.state))} == {MatchState.RUNNING}


def test_who_left_after_the_draw_and_before_the_matches_were_arranged_has_a_robot_in_their_place(house: House) -> None:
    event = opened(house)
    entered(house, event, FIVE)
    with house.transaction(DRAWN) as ctx:
        assert draws.draw_due(ctx)
    withdraw(house, event, "Ann", DRAWN)
    by_mail.run(house, DRAWN)
    roles = house.all(select(EventMatch.role))
    assert (roles.count(MatchRole.COUNTS), roles.count(MatchRole.FRIENDLY)) == (6, 4)
    assert mailed(house, "season") == [*FIVE[1:]]


def test_newcomers_are_drawn_by_rating(house: House) -> None:
    event = opened(house)
    names = [f"P{number}" for number in range(10)]
    entered(house, event, names)
    with house.transaction() as ctx:
        for number, name in enumerate(names):
            row = {"game": "montauk", "mu": 25.0 + number, "sigma": 5.0, "matches": 9, "at": OPENED}
            ctx.session.add(PlayerRating(player_id=person(ctx, name).id, **row))
    by_mail.run(house, DRAWN)
    assert groups(house, event) == [names[5:], names[:5]]


def test_a_household_is_in_different_groups_whichever_of_the_two_has_said_so(house: House) -> None:
    event = opened(house)
    enter(house, event, "Zoe", household=["ann@example.org"])
    entered(house, event, [*FIVE, "Fay", "Gus", "Hal", "Ida"])
    by_mail.run(house, DRAWN)
    assert not [names for names in groups(house, event) if {"Ann", "Zoe"} <= {*names}]


def test_three_play_the_league_of_a_game_of_three(house: House) -> None:
    drawn(house, *FIVE, "Fay", "Gus", game="martian-trickery")
    seats = house.rows(select(SeatHolder.match_id, func.count()).group_by(SeatHolder.match_id))
    assert [row[1] for row in seats] == [3] * 7
    by_mail.run(house, BEGUN)
    assert {*house.all(select(Match.state))} == {MatchState.RUNNING}


def test_those_who_stay_are_entered_in_the_next_season_once(house: House) -> None:
    event = drawn(house, *FIVE)
    following = by_mail.seasons(house)[1]
    enter(house, following.id, "Bob", DRAWN + DAY)
    with house.transaction() as ctx:
        ctx.session.execute(update(Entrant).where(Entrant.name == "Cyd").values(stays=False))
    withdraw(house, event, "Dee", DRAWN + DAY)
    for _again in range(2):
        with house.transaction() as ctx:
            seasons.carry_over(ctx, ctx.session.get_one(Event, event), following)
    assert listed(house, following.id) == ["Bob", "Ann", "Eve"]


@pytest.mark.parametrize("when", ["before the draw", "later"])
def test_a_season_that_ends_late_enters_nobody_again_who_has_left_since(house: House, when: str) -> None:
    first = drawn(house, *FIVE)
    by_mail.run(house, BEGUN)
    second = by_mail.seasons(house)[1]
    for name in FIVE:
        enter(house, second.id, name, BEGUN)
    if when == "before the draw":
        leave(house, second.id, "Ann", BEGUN + DAY)
    assert second.draws_at
    by_mail.run(house, second.draws_at)
    third = by_mail.seasons(house)[2]
    if when == "later":
        with house.transaction(second.draws_at) as ctx:
            leaving.stay_no_more(ctx, ctx.session.get_one(Event, second.id), person(ctx, "Ann").id)
    assert not listed(house, third.id)
    with house.transaction() as ctx:
        seasons.carry_over(ctx, ctx.session.get_one(Event, first), third)
    assert listed(house, third.id) == [*FIVE[1:]]


def test_who_waited_in_vain_is_entered_in_the_next_season(house: House) -> None:
    event = drawn(house, *FIVE)
    following = by_mail.seasons(house)[1]
    enter(house, event, "Fay", DRAWN + DAY)
    enter(house, event, "Gus", DRAWN + DAY)
    enter(house, following.id, "Gus", DRAWN + 2 * DAY)
    by_mail.run(house, BEGUN + 6 * DAY)
    assert listed(house, following.id) == ["Gus"]
    by_mail.run(house, BEGUN + 7 * DAY)
    assert sorted(listed(house, following.id)) == ["Fay", "Gus"]
    assert listed(house, event) == [*FIVE]


def test_a_season_ends_on_its_last_day_whatever_is_not_over(house: House) -> None:
    drawn(house, *FIVE)
    by_mail.run(house, BEGUN)
    by_mail.run(house, BEGUN + rules.MAX_LENGTH - timedelta(minutes=1))
    assert by_mail.seasons(house)[0].state == EventState.RUNNING
    assert not mailed(house, "season over")
    by_mail.run(house, BEGUN + rules.MAX_LENGTH)
    assert by_mail.seasons(house)[0].state == EventState.OVER
    assert mailed(house, "season over") == [*FIVE]
