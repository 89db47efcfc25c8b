"""Two accounts of one person that take part in the same event, and are merged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.db.models import Entrant, Event, Match
from pbem.play.accounts import merge, profile
from pbem.play.accounts.email_confirmation import Claim
from pbem.play.core.actors import ActionError
from pbem.play.events import field_sets
from pbem.play.ladders import entering
from pbem.play.leagues import season_tables
from pbem.play.operators import player_actions
from pbem.states import EntrantState, MatchState
from tests.support.house import address
from tests.support.play.events import fields
from tests.support.play.events.entering import BEGUN, DRAWN, enter, listed, person
from tests.support.play.ladders import climbing
from tests.support.play.leagues.drawn import (
    DAY,
    FIVE,
    TEN,
    begun,
    drawn,
    groups,
    leave,
    matches_of,
    resign,
)
from tests.support.play.operators.office import does

if TYPE_CHECKING:
    from tests.support.house import House

LATE = BEGUN + 30 * DAY


def merge_accounts(house: House, bare: str, into: str) -> None:
    with house.transaction(LATE) as ctx:
        merge.merge(ctx, person(ctx, bare), person(ctx, into))


def tables(house: House, event: int) -> list[dict[str, tuple[float, int]]]:
    """Return the points and the decided meetings of those in each group."""
    with house.transaction() as ctx:
        found = season_tables.load(ctx, ctx.session.get_one(Event, event))
        return [{one.entrants[row.player].name: (row.points, row.meetings) for row in one.rows} for one in found]


def win_against_all(house: House, winner: str, others: tuple[str, ...]) -> None:
    for other in others:
        for match in matches_of(house, winner, other):
            if house.match(match).state == MatchState.RUNNING:
                resign(house, match, other, BEGUN + DAY)


def test_nobody_meets_one_person_twice_in_a_group(house: House) -> None:
    event = begun(house, *FIVE)
    win_against_all(house, "Bob", ("Ann", "Cyd", "Dee"))
    merge_accounts(house, "Bob", "Ann")
    win_against_all(house, "Ann", ("Cyd", "Dee", "Eve"))
    assert tables(house, event) == [{"Ann": (3, 3), "Cyd": (0, 1), "Dee": (0, 1), "Eve": (0, 1)}]
    assert listed(house, event) == ["Ann", "Cyd", "Dee", "Eve"]


def test_a_group_that_loses_an_account_to_another_group_plays_on_without_it(house: House) -> None:
    event = begun(house, *TEN)
    first, second = groups(house, event)
    win_against_all(house, second[0], (second[1],))
    merge_accounts(house, second[0], first[0])
    assert tables(house, event)[1] == dict.fromkeys(second[1:], (0, 0))
    assert all(row == (0, 0) for row in tables(house, event)[0].values())
    with house.transaction() as ctx:
        shown = season_tables.load(ctx, ctx.session.get_one(Event, event), [2])[0]
        assert all(match.names for match in shown.matches)


@pytest.mark.parametrize("begin", [drawn, begun])
def test_the_account_that_has_not_left_keeps_its_place(house: House, begin: object) -> None:
    event = begin(house, *FIVE)  # type: ignore[operator]
    leave(house, event, "Ann", DRAWN + DAY)
    merge_accounts(house, "Bob", "Ann")
    with house.transaction() as ctx:
        row = ctx.session.get_one(Entrant, (event, person(ctx, "Ann").id))
        assert (row.name, row.state) == ("Bob", EntrantState.ENTERED)
    assert listed(house, event) == ["Bob", "Cyd", "Dee", "Eve"]


def test_an_account_on_the_waiting_list_does_not_give_up_the_matches_of_the_other(house: House) -> None:
    event = begun(house, *FIVE)
    enter(house, event, "Zoe", BEGUN + DAY)
    win_against_all(house, "Ann", ("Bob",))
    merge_accounts(house, "Ann", "Zoe")
    assert tables(house, event)[0]["Ann"] == (1, 1)
    assert {house.match(match).state for match in matches_of(house, "Ann")} == {MatchState.OVER, MatchState.RUNNING}


def test_a_place_on_a_ladder_is_kept_by_an_account_that_has_left_it(house: House) -> None:
    climbing.climb(house)
    with house.transaction() as ctx:
        entering.leave(ctx, climbing.ladder_of(ctx), person(ctx, "Fred"))
    merge_accounts(house, "Bob", "Fred")
    climbing.run_steps(house, climbing.OPENED + DAY)
    assert climbing.order(house) == ["Ann", "Bob", "Cleo", "Dan", "Eve"]
    assert climbing.stored_places(house) == [1, 2, 3, 4, 5]


def test_nobody_holds_the_same_cards_at_two_tables_of_a_field(house: House) -> None:
    fields.begin_field(house, names=("Ann", "Bob", "Cyd", "Dee", "Eve", "Fay"))
    with house.transaction() as ctx:
        people = {name: person(ctx, name) for name in ("Ann", "Bob", "Cyd", "Dee", "Eve", "Fay")}
        other = next(
            name for name, one in people.items() if name != "Ann" and not merge.share_match(ctx, people["Ann"], one)
        )
        numbers = people["Ann"].id, people[other].id
        claimed = profile.claim_address(ctx, Claim(people["Ann"], address(other), signed_in=True))
        assert claimed == profile.ClaimResult.SHARED_FIELD
    with pytest.raises(ActionError, match="same cards"):
        does(house, player_actions.merge, numbers[1], into=numbers[0])


def test_of_two_accounts_that_are_merged_after_a_field_one_counts(house: House) -> None:
    event = fields.begin_field(house)
    fields.play_field(house, event)
    merge_accounts(house, "Bob", "Ann")
    with house.transaction() as ctx:
        row = ctx.session.get_one(Event, event.id)
        table = field_sets.field_table(ctx, row, field_sets.load_deals(ctx, row))
    assert {one.name: row.deals for one, row in table} == {"Ann": 2, "Cyd": 2, "Dee": 2}
    assert house.all(select(Match.id).where(Match.event_id == event.id))
