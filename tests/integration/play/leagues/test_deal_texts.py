"""Texts that entrants add to the deals of their matches."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.db.models import Event, MatchSeat
from pbem.games.chain import typed_entropy
from pbem.play.core.errors import Refused
from pbem.play.leagues import deal_texts
from pbem.states import EventState, MatchState
from tests.support.play.events.entering import BEGUN, DRAWN, OPENED, enter, entrant, open_event, person, withdraw
from tests.support.play.leagues.written_seasons import begin, season

if TYPE_CHECKING:
    from datetime import datetime

    from tests.support.house import House


def store(house: House, event: int, name: str, text: str, at: datetime = DRAWN) -> None:
    with house.transaction(at) as ctx:
        deal_texts.store(ctx, ctx.session.get_one(Event, event), person(ctx, name), text)


def entropies(house: House, match: str) -> list[str | None]:
    return house.all(select(MatchSeat.entropy).where(MatchSeat.match_id == match).order_by(MatchSeat.seat))


def test_a_text_is_stored_until_the_draw_for_matches_to_come(house: House) -> None:
    event = open_event(house)
    enter(house, event, "Ann", text="a first one")
    store(house, event, "Ann", "another", OPENED)
    assert entrant(house, event, "Ann").entropy == typed_entropy("another")
    store(house, event, "Ann", "  ", OPENED)
    assert entrant(house, event, "Ann").entropy is None


def test_once_the_groups_are_drawn_it_goes_to_ones_own_seats_of_matches_that_have_not_begun(house: House) -> None:
    event = season(house, state=EventState.DRAWN)
    waiting = begin(house, event, "Bob", "Ann", state=MatchState.INVITING)
    running, others = begin(house, event, "Ann", "Cyd"), begin(house, event, "Bob", "Cyd", state=MatchState.INVITING)
    store(house, event, "Ann", "mine")
    assert entropies(house, waiting) == [None, typed_entropy("mine")]
    assert entropies(house, running) == entropies(house, others) == [None, None]
    store(house, event, "Ann", "")
    assert entropies(house, waiting) == [None, None]


def test_a_text_is_refused_once_the_season_begins_and_to_those_who_have_not_entered(house: House) -> None:
    event = season(house, state=EventState.DRAWN)
    with pytest.raises(Refused, match="its deals are made"):
        store(house, event, "Ann", "late", BEGUN)
    with pytest.raises(Refused, match="have not entered"):
        store(house, event, "Zoe", "mine")
    withdraw(house, event, "Bob")
    with pytest.raises(Refused, match="have not entered"):
        store(house, event, "Bob", "mine")
