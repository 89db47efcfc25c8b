"""Fields: they open, begin with all tables at once, and end with a comparison of every deal."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import combinations
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import func, select

from pbem.db.models import DealSet, Event, EventMatch, Match, SeatHolder
from pbem.games.chain import typed_entropy
from pbem.play.events import entries, field_leaving
from pbem.play.events.field_calendar import LONGEST, next_start
from pbem.play.upkeep import after_restore
from pbem.states import EventKind, EventState, MatchState, Withheld
from tests.support.clockwork import at
from tests.support.play.events import fields
from tests.support.play.events.entering import OPENED, person
from tests.support.play.events.fields import DAY, of_three_seats

if TYPE_CHECKING:
    from tests.support.house import House

__all__ = ["of_three_seats"]

GAMES = [*fields.PEOPLE]


@pytest.fixture(autouse=True)
def _more_games(of_three_seats: None) -> None:
    """Offer fields of a game of three seats, too."""


@pytest.mark.parametrize(
    ("after", "begin"),
    [
        (datetime(2026, 2, 1, 9, tzinfo=UTC), datetime(2026, 2, 15, 12, tzinfo=UTC)),
        (datetime(2026, 2, 8, 12, tzinfo=UTC), datetime(2026, 2, 15, 12, tzinfo=UTC)),
        (datetime(2026, 2, 8, 13, tzinfo=UTC), datetime(2026, 3, 15, 12, tzinfo=UTC)),
        (datetime(2026, 12, 15, 12, tzinfo=UTC), datetime(2027, 1, 15, 12, tzinfo=UTC)),
    ],
)
def test_a_field_takes_entries_for_a_week_and_begins_in_the_middle_of_a_month(after: datetime, begin: datetime) -> None:
    assert next_start(after) == begin


def test_of_each_game_one_field_takes_entries(house: House) -> None:
    fields.run_steps(house)
    fields.run_steps(house, OPENED + DAY)
    found = house.all(select(Event).where(Event.kind == EventKind.FIELD).order_by(Event.game))
    assert [(one.game, one.season, one.state) for one in found] == [
        ("martian-trickery", 1, EventState.OPEN), ("montauk", 1, EventState.OPEN),
    ]  # fmt: skip


def test_the_commitments_of_all_deals_are_there_before_anybody_enters(house: House) -> None:
    event = fields.open_field(house)
    before = house.rows(select(DealSet.id, DealSet.commitment).where(DealSet.event_id == event.id).order_by(DealSet.id))
    assert len(before) == 2
    begun = fields.begin_field(house)
    matches = house.rows(select(Match.set_id, Match.commitment).where(Match.event_id == begun.id).distinct())
    assert sorted(map(tuple, matches)) == sorted(map(tuple, before))


def test_who_is_banned_before_a_field_begins_has_no_seat(house: House) -> None:
    event = fields.open_field(house, "montauk", (*fields.PEOPLE["montauk"], "Eve"))
    with house.transaction() as ctx:
        person(ctx, "Eve").banned_at = ctx.now
    fields.run_steps(house, fields.start(event))
    seated = house.all(select(SeatHolder.name).join(Match).where(Match.event_id == event.id))
    assert sorted({*seated}) == [*fields.PEOPLE["montauk"]]


def test_after_a_restore_those_who_have_entered_are_mailed_once(house: House) -> None:
    waiting = fields.open_field(house, names=("Ann", "Bob"))
    with house.transaction(OPENED + 2 * DAY) as ctx:
        field_leaving.leave(ctx, ctx.session.get_one(Event, waiting.id), person(ctx, "Bob"))
    with house.transaction(OPENED + 4 * DAY) as ctx:
        after_restore.invalidate(ctx, OPENED + 3 * DAY)
    for _again in range(2):
        with house.transaction(OPENED + 4 * DAY) as ctx:
            while after_restore.notify_batch(ctx):
                pass
    with at(OPENED + 4 * DAY):
        (mail,) = house.mails("Ann")
        assert house.mails("Bob") == []
    assert "restored from a backup" in mail.flat
    assert "You have entered: Field of Montauk, number 1. It begins on" in mail.flat
    assert "leave field montauk" in mail.flat


@pytest.mark.parametrize("game", GAMES)
def test_all_rounds_begin_at_once_and_everybody_has_each_seat_once(house: House, game: str) -> None:
    event = fields.begin_field(house, game)
    assert event.state == EventState.RUNNING
    for name in fields.PEOPLE[game]:
        with house.transaction() as ctx:
            player = person(ctx, name).id
        places = [deal.table_of(player) for deal in fields.deals(house, event)]
        assert sorted(place[1] for place in places if place) == [*range(1, fields.seats_of(game) + 1)]
    matches = house.all(select(Match).where(Match.event_id == event.id))
    assert {match.state for match in matches} == {MatchState.RUNNING}
    assert {match.withheld for match in matches} == {Withheld.TABLE}
    assert {match.time_control for match in matches} == {event.time_control}


def test_a_table_is_rated_if_no_robot_sits_there(house: House) -> None:
    event = fields.begin_field(house, "martian-trickery")
    for match in house.all(select(Match).where(Match.event_id == event.id)):
        (table,) = [one for deal in fields.deals(house, event) for one in deal.tables if one.match == match.id]
        assert match.rated == (not any(seat.is_robot for seat in table.seats))


@pytest.mark.parametrize("game", GAMES)
def test_all_tables_of_a_round_have_one_deal_and_the_rounds_different_ones(house: House, game: str) -> None:
    event = fields.begin_field(house, game)
    seeds = house.rows(select(Match.set_id, Match.seed).where(Match.event_id == event.id).distinct())
    assert len(seeds) == len({row.seed for row in seeds}) == fields.seats_of(game)


def test_the_texts_of_entrants_are_part_of_each_deal(house: House) -> None:
    event = fields.begin_field(house, Ann="what I typed")
    for entropies in house.all(select(DealSet.entropies).where(DealSet.event_id == event.id)):
        assert entropies.count(typed_entropy("what I typed")) == 1


@pytest.mark.parametrize("game", GAMES)
def test_nobody_meets_anybody_twice(house: House, game: str) -> None:
    event = fields.begin_field(house, game)
    met = [
        frozenset(pair)
        for deal in fields.deals(house, event)
        for table in deal.tables
        for pair in combinations([seat.name for seat in table.seats if not seat.is_robot], 2)
    ]
    assert len(met) == len(set(met))


def test_a_field_begins_once(house: House) -> None:
    event = fields.begin_field(house)
    fields.run_steps(house, fields.start(event) + DAY)
    assert house.all(select(func.count()).select_from(EventMatch).where(EventMatch.event_id == event.id)) == [4]
    assert fields.newest(house).season == 2


def test_with_too_few_people_a_field_waits_for_the_next_month_and_they_stay(house: House) -> None:
    event = fields.open_field(house, names=("Ann", "Bob", "Cyd"))
    fields.run_steps(house, fields.start(event))
    later = fields.load(house, event)
    assert (later.state, later.season) == (EventState.OPEN, 1)
    assert fields.start(later) == fields.start(event).replace(month=fields.start(event).month + 1)
    assert "did not come about" in house.only("Ann").flat
    with house.transaction(OPENED) as ctx:
        entries.enter(ctx, ctx.session.get_one(Event, event.id), person(ctx, "Dee"), "Dee")
    fields.run_steps(house, fields.start(later))
    assert fields.load(house, event).state == EventState.RUNNING


def test_each_entrant_is_mailed_their_tables_once(house: House) -> None:
    event = fields.begin_field(house)
    fields.run_steps(house, fields.start(event) + DAY)
    for name in fields.PEOPLE["montauk"]:
        begun = [mail for mail in house.mails(name) if mail.headers["Subject"] == "Your field has begun: Montauk"]
        assert len(begun) == 1
        others = [other for other in fields.PEOPLE["montauk"] if other != name]
        assert sum(f"with {other}." in begun[0].flat for other in others) == 2


def test_nothing_of_a_deal_is_compared_before_all_its_tables_are_over(house: House) -> None:
    event = fields.begin_field(house)
    first, *_others = fields.sets(house, event)
    done, running = fields.tables(house, first)
    fields.play(house, done, fields.start(event) + DAY)
    fields.play(house, running, fields.start(event) + DAY, moves=1)
    fields.run_steps(house, fields.start(event) + DAY)
    deal = fields.deals(house, event)[0]
    assert not deal.is_open
    assert [seat.points for table in deal.tables for seat in table.seats] == [None] * 4


@pytest.mark.parametrize("game", GAMES)
def test_scores_of_an_open_deal_add_up_to_0(house: House, game: str) -> None:
    event = fields.begin_field(house, game)
    fields.play_deal(house, fields.sets(house, event)[0], fields.start(event) + DAY)
    deal, *others = fields.deals(house, event)
    assert deal.is_compared
    assert sum(seat.score.score for table in deal.tables for seat in table.seats if seat.score) == 0
    assert not any(other.is_open for other in others)


def test_when_a_deal_opens_everybody_is_mailed_how_they_did_there(house: House) -> None:
    event = fields.begin_field(house)
    fields.play_deal(house, fields.sets(house, event)[0], fields.start(event) + DAY)
    deal, other = fields.deals(house, event)
    for name in fields.PEOPLE["montauk"]:
        (mail,) = [
            one for one in house.mails(name) if one.headers["Subject"] == "A deal of your field is open: Montauk"
        ]
        with house.transaction() as ctx:
            table, _seat = deal.table_of(person(ctx, name).id) or (None, 0)
        assert table
        assert f"/matches/{table.match}/replay" in mail.text
        assert f"/sets/{deal.deal_set.id}" in mail.text
        assert not any(f"{one.match}/replay" in mail.text for one in other.tables)


def test_the_last_deal_ends_the_field_with_a_table_and_a_mail(house: House) -> None:
    event = fields.begin_field(house)
    fields.play_field(house, event)
    over = fields.load(house, event)
    assert over.state == EventState.OVER
    with house.transaction() as ctx:
        places = [one.place for one in entries.entrants(ctx, over)]
        assert min(place for place in places if place) == 1
    for name in fields.PEOPLE["montauk"]:
        (mail,) = [one for one in house.mails(name) if one.headers["Subject"] == "Your field is over: Montauk"]
        assert all(f". {other}: " in mail.flat for other in fields.PEOPLE["montauk"])


def test_matches_that_run_at_the_end_are_called_off_before_anything_opens(house: House) -> None:
    event = fields.begin_field(house)
    first, second = fields.sets(house, event)
    fields.play_deal(house, second, fields.start(event) + DAY)
    fields.play(house, fields.tables(house, first)[0], fields.start(event) + DAY)
    fields.run_steps(house, fields.start(event) + LONGEST + timedelta(hours=1))
    assert fields.load(house, event).state == EventState.OVER
    deal = fields.deals(house, event)[0]
    assert deal.is_open
    assert not deal.is_compared
    (late,) = [house.match(one) for one in fields.tables(house, first)[1:]]
    assert late.result
    assert late.result["ending"] == "aborted"
