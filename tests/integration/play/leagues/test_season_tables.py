"""The tables of a season: what its matches come to, loaded by few statements."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.db.models import Event, Player
from pbem.events.league_table import Movement
from pbem.play.leagues import season_tables
from pbem.states import EventState, MatchState
from tests.support.db.statements import statements
from tests.support.play.events.entering import BEGUN
from tests.support.play.leagues.written_seasons import FIVE, begin, leave, play, play_all, season
from tests.support.play.ratings.rated import replace_seat

if TYPE_CHECKING:
    from tests.support.house import House

DAY = timedelta(days=1)


def tables(house: House, event: int, *groups: int) -> list[season_tables.GroupTable]:
    with house.transaction() as ctx:
        return season_tables.load(ctx, ctx.session.get_one(Event, event), groups or None)


def standing(table: season_tables.GroupTable) -> list[tuple[str, int | None, float]]:
    return [(table.entrants[row.player].name, row.place, row.points) for row in table.rows]


def ids(house: House) -> dict[str, int]:
    return {row.name: row.id for row in house.rows(select(Player.name, Player.id))}


def test_a_group_stands_as_its_matches_say(house: House) -> None:
    event = season(house)
    play(house, event, "Ann", "Bob")
    play(house, event, "Bob", "Cyd", scores=(7, 7), winners=(1, 2))
    play(house, event, "Dee", "Ann", ending="resigned", winners=(2,))
    (table,) = tables(house, event)
    assert standing(table)[:3] == [("Ann", 1, 2), ("Bob", 2, 0.5), ("Cyd", 2, 0.5)]


def test_every_meeting_is_known_as_both_see_it(house: House) -> None:
    event = season(house)
    won, running = play(house, event, "Ann", "Bob"), begin(house, event, "Ann", "Cyd")
    (table,) = tables(house, event)
    who = ids(house)
    seen = table.meetings[who["Ann"], who["Bob"]], table.meetings[who["Bob"], who["Ann"]]
    assert [(one.match.id, one.points) for one in seen] == [(won, 1), (won, 0)]
    open_one = table.meetings[who["Cyd"], who["Ann"]]
    assert (open_one.match.id, open_one.points) == (running, None)
    assert (who["Dee"], who["Eve"]) not in table.meetings


def test_each_group_has_its_own_matches_and_says_who_goes_up_and_down(house: House) -> None:
    others = ("Fay", "Gus", "Hal", "Ida", "Jon")
    event = season(house, FIVE, others)
    play_all(house, event, FIVE)
    play_all(house, event, others, group=2)
    first, second = tables(house, event)
    assert [row[0] for row in standing(first)] == [*FIVE]
    assert [row[0] for row in standing(second)] == [*others]
    who = ids(house)
    assert [first.movements[who[name]] for name in FIVE] == [Movement.STAYS] * 3 + [Movement.DOWN] * 2
    assert [second.movements[who[name]] for name in others] == [Movement.UP] * 2 + [Movement.STAYS] * 3
    assert [one.number for one in tables(house, event, 2)] == [2]
    assert tables(house, event, 2)[0].movements == second.movements


def test_matches_with_robots_and_annulled_ones_count_for_nobody(house: House) -> None:
    event = season(house, ("Ann", "Bob", "Cyd"))
    friendly = play(house, event, "Ann", "Bob", role="friendly")
    (table,) = tables(house, event)
    assert all(row.points == 0 for row in table.rows)
    assert [(one.id, one.is_friendly, one.is_annulled) for one in table.matches] == [(friendly, True, False)]


def test_a_match_that_ends_after_its_season_changes_nothing(house: House) -> None:
    event = season(house, ("Ann", "Bob", "Cyd"), state=EventState.OVER)
    play(house, event, "Ann", "Bob")
    with house.transaction() as ctx:
        ctx.session.get_one(Event, event).ended_at = BEGUN + timedelta(days=130)
    before = [standing(table) for table in tables(house, event)]
    play(house, event, "Cyd", "Ann", days=131)
    assert [standing(table) for table in tables(house, event)] == before


def test_a_robot_that_plays_on_for_somebody_loses_their_match_for_them(house: House) -> None:
    event = season(house)
    match = play(house, event, "Ann", "Bob", scores=(1, 9), winners=(2,))
    replace_seat(house, match, "robot")
    (table,) = tables(house, event)
    assert standing(table)[0] == ("Ann", 1, 1)


def test_somebody_who_left_early_stands_last_without_results(house: House) -> None:
    event = season(house)
    play(house, event, "Ann", "Bob", ended_at=BEGUN + DAY)
    begin(house, event, "Ann", "Cyd")
    begin(house, event, "Ann", "Dee")
    leave(house, event, "Ann", BEGUN + 2 * DAY)
    (table,) = tables(house, event)
    assert standing(table)[-1] == ("Ann", None, 0)
    assert all(row.points == 0 for row in table.rows)


def test_somebody_whom_a_substitute_replaced_everywhere_is_no_member(house: House) -> None:
    event = season(house, (*FIVE, "Fay"))
    begin(house, event, "Ann", "Bob")
    leave(house, event, "Fay", BEGUN + DAY)
    (table,) = tables(house, event)
    assert [name for name, _place, _points in standing(table)] == ["Ann", "Bob", "Cyd", "Dee", "Eve"]


def test_somebody_who_left_before_their_matches_began_is_no_member(house: House) -> None:
    event = season(house)
    match = begin(house, event, "Ann", "Bob", state=MatchState.INVITING, seed=None, started_at=None)
    replace_seat(house, match, "robot")
    leave(house, event, "Bob", BEGUN - DAY)
    (table,) = tables(house, event)
    assert [name for name, _place, _points in standing(table)] == ["Ann", "Cyd", "Dee", "Eve"]
    assert table.matches[0].names == ("Ann", None)


def test_a_season_costs_three_statements_however_many_groups_it_has(house: House) -> None:
    event = season(house, FIVE, ("Fay", "Gus", "Hal"), state=EventState.OVER)
    play_all(house, event, FIVE)
    play(house, event, "Fay", "Gus", group=2)
    with house.transaction() as ctx:
        row = ctx.session.get_one(Event, event)
        with statements(house.engine) as found:
            assert len(season_tables.load(ctx, row)) == 2
    assert len(found) == 3


def test_a_season_that_is_not_drawn_has_no_groups(house: House) -> None:
    assert tables(house, season(house, ())) == []
