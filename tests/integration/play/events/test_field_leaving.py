"""Leaving a field: before it begins, and while robots play on in one's seats."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.db.models import Event, Match, Player, SeatHolder
from pbem.play.accounts import deletion
from pbem.play.core.errors import Refused
from pbem.play.events import entries, field_leaving, field_sets
from pbem.play.lifecycle import agreements, resigning
from pbem.play.lifecycle.agreements import Participant
from pbem.play.matches.match_state import lock_match
from pbem.play.matches.seats import holders
from pbem.play.notifications import fresh_links
from pbem.play.offers.wording import ABANDON, DRAW
from pbem.play.operators import player_actions
from pbem.states import MatchState
from tests.support.clockwork import at
from tests.support.play.events import fields
from tests.support.play.events.entering import listed, person
from tests.support.play.events.fields import DAY, of_three_seats
from tests.support.play.operators.office import does
from tests.support.robots import run_clock

if TYPE_CHECKING:
    from pbem.play.events.field_sets import SeatAtTable
    from tests.support.house import House


__all__ = ["of_three_seats"]


def leave(house: House, event: Event, name: str) -> int:
    with house.transaction(fields.start(event) + DAY) as ctx:
        return field_leaving.leave(ctx, ctx.session.get_one(Event, event.id), person(ctx, name))


def seat(house: House, event: Event, number: int, name: str) -> SeatAtTable:
    """Return somebody's seat in a deal of a field."""
    with house.transaction() as ctx:
        found = fields.deals(house, event)[number - 1].table_of(person(ctx, name).id)
    assert found
    return found[0].seats[found[1] - 1]


def test_who_leaves_before_the_beginning_is_not_seated(house: House) -> None:
    names = (*fields.PEOPLE["montauk"], "Eve")
    event = fields.open_field(house, names=names)
    assert leave(house, event, "Ann") == 0
    fields.run_steps(house, fields.start(event))
    seated = house.all(select(SeatHolder.name).join(Match).where(Match.event_id == event.id))
    assert set(seated) == set(names) - {"Ann"}


def test_robots_play_on_in_all_seats_of_a_leaver(house: House) -> None:
    event = fields.begin_field(house)
    assert leave(house, event, "Ann") == 2
    held = select(SeatHolder).join(Match).where(Match.event_id == event.id, SeatHolder.left_at.is_(None))
    assert "Ann" not in {holder.name for holder in house.all(held)}
    assert {match.state for match in house.all(select(Match).where(Match.event_id == event.id))} == {MatchState.RUNNING}
    opponents = {one.name for one in house.all(held) if one.email}
    mails = [mail for name in sorted(opponents) for mail in house.mails(name)]
    assert sum("Ann has left, so the robot plays on for them." in mail.flat for mail in mails) == 2
    assert not any("plays your seat now" in mail.flat for mail in house.mails("Ann"))


def test_a_leaver_gets_the_worst_of_all_less_2_and_the_others_are_compared(house: House) -> None:
    event = fields.begin_field(house)
    leave(house, event, "Ann")
    fields.play_deal(house, fields.sets(house, event)[0], fields.start(event) + 2 * DAY)
    deal = fields.deals(house, event)[0]
    scores = [one.score for table in deal.tables for one in table.seats]
    stayed = [one.score for one in scores if one and one.margin is not None]
    own = seat(house, event, 1, "Ann")
    assert own.left
    assert own.score
    assert own.score.score <= min(stayed) - 2
    assert own.score.percent == 0
    assert len(stayed) == 3
    assert all(scores)


@pytest.mark.usefixtures("of_three_seats")
def test_a_robot_plays_on_for_who_resigns_and_the_others_are_compared(house: House) -> None:
    event = fields.begin_field(house, "martian-trickery")
    first = fields.sets(house, event)[0]
    given_up = fields.tables(house, first)[0]
    with house.transaction(fields.start(event) + DAY) as ctx:
        match = lock_match(ctx, given_up)
        resigning.resign(ctx, match, holders(ctx, match)[0])
    assert house.match(given_up).state == MatchState.RUNNING
    fields.play_deal(house, first, fields.start(event) + 2 * DAY)
    table = fields.deals(house, event)[0].tables[0]
    assert [one.left for one in table.seats] == [True, False, False]
    stayed = [one.score.score for one in table.seats[1:] if one.score]
    assert len(stayed) == 2
    assert table.seats[0].score
    assert table.seats[0].score.score <= min(stayed) - 2


def test_who_resigns_by_mail_reads_before_and_after_that_a_robot_plays_on(house: House) -> None:
    event = fields.begin_field(house)
    held = select(SeatHolder).join(Match).where(Match.event_id == event.id, SeatHolder.name == "Ann")
    holder = house.all(held)[0]
    with at(fields.start(event)):
        house.mails("Ann")
        with house.transaction() as ctx:
            fresh_links.enqueue(ctx, lock_match(ctx, holder.match_id), ctx.session.get_one(SeatHolder, holder.id))
        house.reply(house.last("Ann"), "resign")
        asked = house.last("Ann")
        assert "A robot plays on in your seat, and at this table you get two points less" in asked.flat
        house.reply(asked, "resign yes")
        answer = house.last("Ann")
        assert "You have resigned in Montauk with" in answer.flat
        assert "A robot plays on in your seat" in answer.flat
    (left,) = house.all(held.where(SeatHolder.left_at.is_not(None)))
    assert left.id == holder.id
    assert house.match(left.match_id).state == MatchState.RUNNING


def test_a_table_that_all_have_left_is_played_to_its_end_by_robots(house: House) -> None:
    event = fields.begin_field(house)
    match_id = fields.tables(house, fields.sets(house, event)[0])[0]
    for name in house.all(select(SeatHolder.name).where(SeatHolder.match_id == match_id)):
        leave(house, event, name)
    assert house.match(match_id).state == MatchState.RUNNING
    run_clock(house, match_id, fields.start(event) + 2 * DAY)
    ended = house.match(match_id)
    assert ended.result is not None
    assert ended.result["ending"] == "finished"


@pytest.mark.parametrize("kind", [ABANDON, DRAW])
def test_no_table_ends_by_agreement(house: House, kind: str) -> None:
    event = fields.begin_field(house)
    match_id = fields.tables(house, fields.sets(house, event)[0])[0]
    with house.transaction(fields.start(event)) as ctx:
        match = lock_match(ctx, match_id)
        with pytest.raises(Refused, match="played to its end"):
            agreements.propose(Participant(ctx, match, holders(ctx, match)[0]), kind)


def test_nobody_leaves_twice_or_once_it_is_over(house: House) -> None:
    event = fields.begin_field(house)
    leave(house, event, "Ann")
    with pytest.raises(Refused, match="not entered"):
        leave(house, event, "Ann")
    fields.play_field(house, event)
    with pytest.raises(Refused, match="over"):
        leave(house, event, "Bob")


def test_a_leaver_is_listed_and_not_mailed_any_more(house: House) -> None:
    event = fields.begin_field(house)
    leave(house, event, "Ann")
    house.mails("Ann")
    fields.play_field(house, event)
    assert house.mails("Ann") == []
    with house.transaction() as ctx:
        over = ctx.session.get_one(Event, event.id)
        names = [one.name for one, _row in field_sets.field_table(ctx, over, field_sets.load_deals(ctx, over))]
        assert sorted(names) == sorted(fields.PEOPLE["montauk"])
        assert len(entries.entrants(ctx, over)) == 3


@pytest.mark.parametrize("going", ["deleted", "banned"])
def test_who_is_banned_or_deletes_their_account_leaves_their_fields(house: House, going: str) -> None:
    played = fields.begin_field(house)
    waiting = fields.open_field(house, names=("Ann", "Bob"), at=fields.start(played))
    with house.transaction(fields.start(played)) as ctx:
        number = person(ctx, "Ann").id
    if going == "banned":
        does(house, player_actions.ban, number, sentence="No.")
    else:
        with house.transaction(fields.start(played) + DAY) as ctx:
            deletion.delete(ctx, ctx.session.get_one(Player, number))
    assert listed(house, waiting.id) == ["Bob"]
    assert "Ann" not in listed(house, played.id)
    assert len(listed(house, played.id)) == 3
    # The tables go on, so that those who stay are compared.
    assert {*house.all(select(Match.state).where(Match.event_id == played.id))} == {MatchState.RUNNING}
