"""Entries into events: who may enter, who is refused and why, and leaving."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import update

from pbem.db.models import Address, Ban, Entrant, Event, Player, SeatHolder
from pbem.games.chain import typed_entropy
from pbem.play.core.errors import Refused
from pbem.play.events import entries
from pbem.play.lifecycle.match_requests import ROBOT, Invitee
from pbem.states import EntrantState, EventKind, EventState
from tests.support.ended import ended
from tests.support.house import address
from tests.support.play.events.entering import (
    BEGUN,
    DRAWN,
    OPENED,
    enter,
    entrant,
    listed,
    open_event,
    person,
    withdraw,
)

if TYPE_CHECKING:
    from tests.support.house import House

HOUR = timedelta(hours=1)


def test_an_entrant_is_listed_under_their_name_with_their_text_hashed(house: House) -> None:
    event = open_event(house)
    enter(house, event, "Ann", text=" my own text ")
    enter(house, event, "Bob", OPENED + HOUR)
    assert listed(house, event) == ["Ann", "Bob"]
    assert entrant(house, event, "Ann").entropy == typed_entropy("my own text")
    assert entrant(house, event, "Bob").entropy is None


def test_two_entrants_of_one_name_are_told_apart(house: House) -> None:
    event = open_event(house)
    enter(house, event, "Ann")
    with house.transaction(OPENED + HOUR) as ctx:
        entries.enter(ctx, ctx.session.get_one(Event, event), person(ctx, "Bob"), "Ann")
    assert listed(house, event) == ["Ann", "Ann 2"]


def test_nobody_enters_twice(house: House) -> None:
    event = open_event(house)
    enter(house, event, "Ann")
    with pytest.raises(Refused, match="already entered"):
        enter(house, event, "Ann")


def test_an_address_must_be_confirmed(house: House) -> None:
    event = open_event(house)
    with pytest.raises(Refused, match="None of your addresses is confirmed"):
        enter(house, event, "Ann", confirmed=False)


def test_a_banned_player_is_refused_with_the_reason(house: House) -> None:
    event = open_event(house)
    with house.transaction() as ctx:
        ann = person(ctx, "Ann")
        ann.banned_at = ctx.now
        ctx.session.add(Ban(player_id=ann.id, message="Rude.", banned_at=ctx.now))
    with pytest.raises(Refused, match="Rude"):
        enter(house, event, "Ann")


def test_who_leaves_too_many_matches_is_refused(house: House) -> None:
    event = open_event(house)
    late, _played = (ended(house, "Ann", other) for other in ("Bob", "Cyd"))
    with house.transaction() as ctx:
        seat = SeatHolder.match_id == late, SeatHolder.seat == 1
        ctx.session.execute(update(SeatHolder).where(*seat).values(leave_reason="timed out"))
    with pytest.raises(Refused, match="at least 75% of your matches"):
        enter(house, event, "Ann")


@pytest.mark.parametrize("email", ["ann+two@example.org", "ann+@example.org"])
def test_two_accounts_of_one_mailbox_do_not_both_enter(house: House, email: str) -> None:
    event = open_event(house)
    with house.transaction() as ctx:
        ctx.session.add(Address(email=email, player=person(ctx, "Bob"), created_at=ctx.now))
    enter(house, event, "Ann")
    with pytest.raises(Refused, match="with another account"):
        enter(house, event, "Bob")


@pytest.mark.parametrize(
    ("more", "at", "reason"),
    [
        ({}, OPENED - HOUR, "not open yet"),
        ({"state": EventState.OVER}, OPENED, "is over"),
        ({"state": EventState.RUNNING}, BEGUN + timedelta(days=7), "has begun"),
        ({"state": EventState.RUNNING, "kind": EventKind.FIELD}, BEGUN + HOUR, "This field has begun"),
        ({"state": EventState.OVER, "kind": EventKind.FIELD}, BEGUN + HOUR, "This field is over"),
    ],
)
def test_an_entry_at_the_wrong_time_is_refused(house: House, more: dict[str, Any], at: Any, reason: str) -> None:
    event = open_event(house, **more)
    with pytest.raises(Refused, match=reason):
        enter(house, event, "Ann", at)


@pytest.mark.parametrize(
    ("more", "at"),
    [
        ({"state": EventState.DRAWN}, DRAWN + HOUR),
        ({"state": EventState.RUNNING}, BEGUN + timedelta(days=6)),
        ({"state": EventState.RUNNING, "kind": EventKind.LADDER}, BEGUN + timedelta(days=60)),
    ],
)
def test_a_ladder_takes_entries_always_and_a_league_has_a_waiting_list_for_a_week(
    house: House, more: dict[str, Any], at: Any
) -> None:
    event = open_event(house, **more)
    enter(house, event, "Ann", at)
    assert listed(house, event) == ["Ann"]


def test_after_losses_on_time_one_season_is_missed_and_no_more(house: House) -> None:
    first, second, third = (open_event(house, season=number) for number in (1, 2, 3))
    for event in (first, second):
        enter(house, event, "Ann")
        withdraw(house, event, "Ann", reason=entries.ON_TIME)
    with house.transaction() as ctx:
        ctx.session.execute(update(Entrant).where(Entrant.event_id == first).values(losses_on_time=2))
    with pytest.raises(Refused, match="two matches on time"):
        enter(house, second, "Ann")
    enter(house, third, "Ann")
    assert listed(house, third) == ["Ann"]


def test_leaving_is_noted_with_its_reason_and_takes_no_place_in_the_next_season(house: House) -> None:
    event = open_event(house)
    enter(house, event, "Ann")
    withdraw(house, event, "Ann", OPENED + HOUR)
    row = entrant(house, event, "Ann")
    assert (row.state, row.left_at, row.left_reason, row.stays) == (
        EntrantState.WITHDRAWN,
        OPENED + HOUR,
        entries.ASKED,
        False,
    )
    assert not listed(house, event)


def test_who_left_before_the_draw_can_enter_again_and_after_it_cannot(house: House) -> None:
    event = open_event(house)
    enter(house, event, "Ann")
    withdraw(house, event, "Ann")
    enter(house, event, "Ann")
    withdraw(house, event, "Ann")
    with house.transaction() as ctx:
        ctx.session.execute(update(Event).values(state=EventState.DRAWN))
    with pytest.raises(Refused, match="You left this season"):
        enter(house, event, "Ann", DRAWN + HOUR)


def test_nobody_leaves_what_they_have_not_entered_or_what_is_over(house: House) -> None:
    event = open_event(house)
    with pytest.raises(Refused, match="not entered"):
        withdraw(house, event, "Ann")
    enter(house, event, "Ann")
    with house.transaction() as ctx:
        ctx.session.execute(update(Event).values(state=EventState.OVER))
    with pytest.raises(Refused, match="is over"):
        withdraw(house, event, "Ann")


def test_a_household_is_stored_hashed_and_has_few_addresses(house: House) -> None:
    event = open_event(house)
    enter(house, event, "Ann", household=[" Bob@example.org", ""])
    assert entrant(house, event, "Ann").household == [entries.household_hash("bob@example.org")]
    with pytest.raises(Refused, match="at most 5"):
        enter(house, event, "Cyd", household=[f"a{number}@example.org" for number in range(6)])
    with pytest.raises(Refused, match="mail address"):
        enter(house, event, "Cyd", household=["bob"])


def test_an_entrant_is_seated_with_their_main_address_and_nobody_is_a_robot(house: House) -> None:
    event = open_event(house)
    enter(house, event, "Ann")
    with house.transaction() as ctx:
        (ann,) = entries.entrants(ctx, ctx.session.get_one(Event, event))
        assert entries.invitee(ctx, ann) == Invitee("Ann", address("Ann"))
        assert entries.invitee(ctx, None) == ROBOT
        assert ctx.session.get_one(Player, ann.player_id).name == "Ann"
