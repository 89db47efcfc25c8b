"""A match of a ladder that an operator annuls: the places are as if it had not been played."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import delete

from pbem.db.models import LadderChallenge
from pbem.play.core.actors import ActionError
from pbem.play.ladders import overview
from pbem.play.operators import event_actions
from tests.support.play.ladders.climbing import (
    DAY,
    OPENED,
    SIX,
    accept,
    challenge,
    climb,
    end_match,
    found_entrant,
    ladder_matches,
    ladder_of,
    mail_kinds,
    order,
    play,
    run_steps,
    stored_places,
)
from tests.support.play.operators.office import WHY, does

if TYPE_CHECKING:
    from tests.support.house import House


@pytest.mark.parametrize("end", [{"loser": "Bob"}, {"late": "Bob"}, {"late": "Eve"}, {"loser": "Eve"}, {}])
def test_the_places_are_as_they_were_before_a_match_that_is_annulled(house: House, end: dict[str, Any]) -> None:
    climb(house)
    play(house, "Eve", "Bob", OPENED + DAY, **end)
    (match,) = ladder_matches(house)
    house.mails("Bob")
    assert does(house, event_actions.annul_result, match.id).changed
    assert not does(house, event_actions.annul_result, match.id).changed
    assert order(house) == [*SIX]
    assert stored_places(house) == [1, 2, 3, 4, 5, 6]
    (mail,) = house.mails("Bob")
    assert "The operator has annulled the result of your match with Eve on the ladder of Martian Whist." in mail.flat
    assert WHY in mail.flat
    assert "Bob: place 2" in mail.flat
    assert mail_kinds(house, "Eve")[-1] == "ladder result annulled"
    with house.transaction() as ctx:
        (past,) = overview.history(ctx, ladder_of(ctx))
    assert (past.won, past.on_time) == (None, False)


def test_what_changed_after_a_match_that_is_annulled_stays(house: House) -> None:
    climb(house)
    play(house, "Eve", "Bob", OPENED + DAY, loser="Bob")
    (match,) = ladder_matches(house)
    play(house, "Fred", "Dan", OPENED + 3 * DAY, loser="Dan")
    assert order(house) == ["Ann", "Eve", "Bob", "Cleo", "Fred", "Dan"]
    does(house, event_actions.annul_result, match.id)
    assert order(house) == ["Ann", "Bob", "Cleo", "Fred", "Eve", "Dan"]


def test_a_loss_on_time_that_is_annulled_does_not_lead_off_the_ladder(house: House) -> None:
    climb(house)
    play(house, "Cleo", "Ann", OPENED + DAY, late="Ann")
    (match,) = ladder_matches(house)
    assert found_entrant(house, "Ann").losses_on_time == 1
    does(house, event_actions.annul_result, match.id)
    assert found_entrant(house, "Ann").losses_on_time == 0
    play(house, "Dan", "Ann", OPENED + 3 * DAY, late="Ann")
    assert "Ann" in order(house)


def test_only_the_loss_on_time_that_is_annulled_is_forgiven(house: House) -> None:
    climb(house)
    play(house, "Cleo", "Ann", OPENED + DAY, late="Ann")
    play(house, "Ann", "Eve", OPENED + 3 * DAY, loser="Eve")
    play(house, "Ann", "Dan", OPENED + 5 * DAY, late="Ann")
    first, _second, last = ladder_matches(house)
    does(house, event_actions.annul_result, first.id)
    assert found_entrant(house, "Ann").losses_on_time == 1
    does(house, event_actions.annul_result, last.id)
    assert found_entrant(house, "Ann").losses_on_time == 0


def test_a_match_whose_challenge_went_with_a_merge_is_annulled_without_a_change(house: House) -> None:
    climb(house)
    play(house, "Eve", "Bob", OPENED + DAY, loser="Bob")
    (match,) = ladder_matches(house)
    with house.transaction() as ctx:
        ctx.session.execute(delete(LadderChallenge))
    before = order(house)
    assert does(house, event_actions.annul_result, match.id).changed
    assert order(house) == before


def test_a_match_that_is_annulled_before_it_is_settled_changes_no_place(house: House) -> None:
    climb(house)
    match = accept(house, challenge(house, "Eve", "Bob", OPENED), "Bob", OPENED)
    with pytest.raises(ActionError, match="not over"):
        does(house, event_actions.annul_result, match)
    end_match(house, match, OPENED + DAY, late="Bob")
    does(house, event_actions.annul_result, match)
    run_steps(house, OPENED + DAY)
    assert order(house) == [*SIX]
    assert found_entrant(house, "Bob").losses_on_time == 0
    assert mail_kinds(house, "Bob")[-2:] == ["ladder result annulled", "ladder result"]
