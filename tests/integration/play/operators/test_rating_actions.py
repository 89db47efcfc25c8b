"""Operators and ratings: a match is annulled for them, and pairs that look arranged are listed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.db.models import Match
from pbem.play.core.actors import ActionError
from pbem.play.operators import match_actions, rating_actions
from pbem.play.operators.search import rating_pairs
from pbem.ratings.eligibility import Reason
from tests.support.play.operators.office import WHY, confirmed, does
from tests.support.play.ratings.rated import differences, rate, rated, rating_of, reason

if TYPE_CHECKING:
    from tests.support.house import House


def played(house: House) -> str:
    """Play a match of which the second player gave up, and rate it."""
    match_id = house.start_match("martian-whist", 2)
    confirmed(house, "Ann", "Bob")
    house.reply(house.last("Bob"), "resign yes")
    for name in ("Ann", "Bob"):
        house.mails(name)
    rate(house)
    return match_id


def test_an_annulled_match_keeps_its_result_and_counts_for_nobody(house: House) -> None:
    match_id = played(house)
    assert rating_of(house, "Ann")
    before = house.match(match_id).result
    assert does(house, rating_actions.annul, match_id).changed
    for name in ("Ann", "Bob"):
        told = house.only(name)
        assert told.message["Subject"].startswith("Rating annulled")
        assert "its result stays, and counts for nobody’s rating" in told.flat
        assert f"Their reason: “{WHY}”" in told.flat
    rate(house)
    assert reason(house, match_id) == Reason.ANNULLED
    assert rating_of(house, "Ann") is None
    assert house.match(match_id).result == before
    assert not differences(house)


def test_what_came_after_it_is_rated_anew(house: House) -> None:
    match_id = played(house)
    rated(house, "Ann", "Cyd", days=400)
    rate(house)
    before = rating_of(house, "Ann")
    does(house, rating_actions.annul, match_id)
    rate(house)
    after = rating_of(house, "Ann")
    assert before
    assert after
    assert after.mu < before.mu
    assert not differences(house)


def test_a_match_is_annulled_once(house: House) -> None:
    match_id = played(house)
    does(house, rating_actions.annul, match_id)
    assert not does(house, rating_actions.annul, match_id).changed


def test_only_a_rated_match_that_is_over_can_be_annulled(house: House) -> None:
    running = house.start_match("martian-whist", 2)
    with pytest.raises(ActionError, match="not over"):
        does(house, rating_actions.annul, running)
    does(house, match_actions.abort, house.make("martian-whist", 2))
    (off,) = house.all(select(Match.id).where(Match.seed.is_(None)))
    with pytest.raises(ActionError, match="not rated"):
        does(house, rating_actions.annul, off)


def pairs(house: House) -> list[tuple[str, str, int, int, int]]:
    with house.transaction() as ctx:
        found = rating_pairs.list_pairs(ctx)
    return [(one.winner_name, one.loser_name, one.matches, one.won, one.others) for one in found]


def test_a_pair_is_listed_once_it_has_rated_eight_matches_that_one_of_them_nearly_always_won(house: House) -> None:
    for number in range(7):
        rated(house, "Ann", "Bob", days=31 * number)
    rate(house)
    assert pairs(house) == []
    rated(house, "Bob", "Ann", days=31 * 7)
    rated(house, "Ann", "Cyd", days=31 * 7)
    rated(house, "Ann", "Dee", days=31 * 7)
    rate(house)
    assert pairs(house) == [("Ann", "Bob", 8, 7, 2)]
    rated(house, "Ann", "Eve", days=31 * 8)
    rate(house)
    assert pairs(house) == []


def test_who_loses_too_often_for_that_is_not_listed(house: House) -> None:
    for number in range(10):
        winner, loser = ("Ann", "Bob") if number < 7 else ("Bob", "Ann")
        rated(house, winner, loser, days=31 * number)
    rate(house)
    assert pairs(house) == []
