"""Leaving a field: before it begins, and while robots play on in one's seats."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.db.models import Event, Match, Player, SeatHolder
from pbem.play.accounts import deletion
from pbem.play.core.errors import Refused
from pbem.play.events import entries, field_leaving, field_sets
from pbem.play.lifecycle import endings
from pbem.play.matches.match_state import load_match, lock_match
from pbem.play.matches.seats import holders
from pbem.play.operators import player_actions
from pbem.states import MatchState
from tests.support.play.events import fields
from tests.support.play.events.entering import listed, person
from tests.support.play.events.fields import DAY, of_three_seats
from tests.support.play.operators.office import does

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
def test_who_resigns_gets_the_worst_less_2_and_that_table_counts_for_nobody(house: House) -> None:
    event = fields.begin_field(house, "martian-trickery")
    first = fields.sets(house, event)[0]
    given_up, *others = fields.tables(house, first)
    with house.transaction(fields.start(event) + DAY) as ctx:
        match = lock_match(ctx, given_up)
        endings.resign(ctx, load_match(ctx, match), holders(ctx, match)[0])
    for number, match_id in enumerate(others):
        fields.play(house, match_id, fields.start(event) + DAY, choice=number)
    fields.run_steps(house, fields.start(event) + DAY)
    table, *rest = fields.deals(house, event)[0].tables
    assert [one.left for one in table.seats] == [True, False, False]
    assert [one.score is None for one in table.seats] == [False, True, True]
    assert sum(one.score.score for other in rest for one in other.seats if one.score) == 0


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
