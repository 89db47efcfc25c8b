"""Exchange of two entrants by an operator, before their season begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.db.models import Match
from pbem.play.core.actors import ActionError
from pbem.play.operators import event_actions
from pbem.states import MatchState
from tests.support.house import address
from tests.support.play.events.entering import BEGUN, person
from tests.support.play.leagues import by_mail
from tests.support.play.leagues.drawn import TEN, drawn, groups, matches_of, seated
from tests.support.play.operators.office import WHY, does

if TYPE_CHECKING:
    from tests.support.house import House


def number_of(house: House, name: str) -> int:
    with house.transaction() as ctx:
        return person(ctx, name).id


def exchange(house: House, event: int, one: str, other: str) -> None:
    does(house, event_actions.exchange, number_of(house, one), event=event, other=number_of(house, other))


def test_each_plays_the_matches_of_the_other_and_is_told_why(house: House) -> None:
    event = drawn(house, *TEN)
    first, second = groups(house, event)
    one, other = first[0], second[0]
    theirs = matches_of(house, one), matches_of(house, other)
    house.mails(one)
    house.mails(other)
    exchange(house, event, one, other)
    assert groups(house, event) == [sorted({*first, other} - {one}), sorted({*second, one} - {other})]
    assert (matches_of(house, other), matches_of(house, one)) == theirs
    for reader, group, before in ((one, 2, other), (other, 1, one)):
        (mail,) = house.mails(reader)
        assert f"The operator has exchanged you and {before} in season 1 of the league of Montauk" in mail.flat
        assert f"you play in group {group} now" in mail.flat
        assert WHY in mail.flat


def test_the_season_begins_with_those_who_were_exchanged(house: House) -> None:
    event = drawn(house, *TEN)
    first, second = groups(house, event)
    exchange(house, event, first[0], second[0])
    by_mail.run(house, BEGUN)
    assert {*house.all(select(Match.state))} == {MatchState.RUNNING}
    for match in matches_of(house, second[0]):
        assert (address(second[0]), False) in seated(house, match)


def test_exchanged_back_they_have_their_first_matches(house: House) -> None:
    event = drawn(house, *TEN)
    first, second = groups(house, event)
    before = matches_of(house, first[0])
    exchange(house, event, first[0], second[0])
    exchange(house, event, second[0], first[0])
    assert groups(house, event) == [first, second]
    assert matches_of(house, first[0]) == before


def test_nobody_is_exchanged_within_a_group_or_once_the_season_has_begun(house: House) -> None:
    event = drawn(house, *TEN)
    first, second = groups(house, event)
    with pytest.raises(ActionError, match="same group"):
        exchange(house, event, first[0], first[1])
    with pytest.raises(ActionError, match="in no group of this season"):
        does(house, event_actions.exchange, number_of(house, first[0]), event=event, other=10**9)
    by_mail.run(house, BEGUN)
    with pytest.raises(ActionError, match="until it begins"):
        exchange(house, event, first[0], second[0])
