"""Entering a season by its page, the text for its deals, and leaving."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, update

from pbem.db.models import Entrant, Event
from pbem.games.chain import typed_entropy
from pbem.play.core.context import system_time
from pbem.play.events.entries import household_hash
from pbem.states import EntrantState, EventState
from tests.support.play.events.entering import enter, entrant, listed, open_event
from tests.support.play.leagues.written_seasons import add, begin, season
from tests.support.web.lobby.open_tables import signed_in

if TYPE_CHECKING:
    from tests.support.house import House
    from tests.support.pages import Visitor

DAY = timedelta(days=1)


def coming(house: House) -> int:
    """Open a season that begins in some days, by the clock of this machine."""
    now = system_time()
    return open_event(house, opens_at=now - DAY, draws_at=now + DAY, starts_at=now + 3 * DAY)


def test_visitors_are_led_to_sign_in_and_back(local: House, site: Visitor) -> None:
    event = coming(local)
    page = site.open(f"/leagues/{event}")
    assert page.links["Sign in to enter"] == f"/sign-in?then=/leagues/{event}"
    assert site.client.post(f"/leagues/{event}", data={"name": "Ann"}).status_code == 303
    assert listed(local, event) == []


def test_a_player_enters_with_a_name_a_text_and_their_household(local: House) -> None:
    event = coming(local)
    page = signed_in(local, "Ann").open(f"/leagues/{event}")
    entered = page.press("Enter as Ann", name="Annie", entropy="a text", household="bob@example.org, cyd@example.org")
    assert "You have entered. " in entered.words
    assert "You have entered as Annie." in entered.words
    own = entrant(local, event, "Ann")
    assert (own.name, own.entropy, own.stays) == ("Annie", typed_entropy("a text"), True)
    assert own.household == sorted(map(household_hash, ("bob@example.org", "cyd@example.org")))


def test_who_stays_for_this_season_only_says_so(local: House) -> None:
    event = coming(local)
    ann = signed_in(local, "Ann")
    form = ann.open(f"/leagues/{event}").form("Enter as Ann")
    ann.send(form, {name: value for name, value in form.fields.items() if name != "stays"})
    assert not entrant(local, event, "Ann").stays


def test_a_refusal_stands_above_what_was_typed(local: House) -> None:
    event = coming(local)
    page = signed_in(local, "Ann").open(f"/leagues/{event}")
    refused = page.press("Enter as Ann", name="Annie", household="nobody", entropy="mine")
    assert refused.status == 422
    form = refused.form("Enter")
    assert (form.fields["name"], form.fields["household"], form.fields["entropy"]) == ("Annie", "nobody", "mine")
    assert 'role="alert"' in refused.html
    assert listed(local, event) == []


def test_nobody_enters_twice_by_a_page_that_was_left_open(local: House) -> None:
    event = coming(local)
    page = signed_in(local, "Ann").open(f"/leagues/{event}")
    enter(local, event, "Ann", system_time())
    again = page.press("Enter as Ann")
    assert again.status == 422
    assert "You have already entered." in again.words


def test_once_the_groups_are_drawn_entering_means_waiting(local: House) -> None:
    event = season(local, state=EventState.DRAWN, starts_at=system_time() + DAY)
    page = signed_in(local, "Zoe").open(f"/leagues/{event}")
    assert "you are put on the waiting list" in page.words
    assert "You are on the waiting list as Zoe." in page.press("Join the waiting list").words


def test_a_season_that_takes_no_entries_has_no_form(local: House) -> None:
    event = season(local, state=EventState.RUNNING, starts_at=system_time() - 30 * DAY)
    page = signed_in(local, "Zoe").open(f"/leagues/{event}")
    assert 'id="enter"' not in page.html


def test_ones_text_for_the_deals_can_be_changed_until_the_matches_begin(local: House) -> None:
    event = coming(local)
    enter(local, event, "Ann", system_time())
    page = signed_in(local, "Ann").open(f"/leagues/{event}")
    assert "Add a text of your own" in page.words
    saved = page.press("Save the text", entropy="mine")
    assert "Your text is saved." in saved.words
    assert "You added a text of your own." in saved.words
    assert entrant(local, event, "Ann").entropy == typed_entropy("mine")
    with local.transaction() as ctx:
        ctx.session.execute(update(Event).values(starts_at=ctx.now, draws_at=ctx.now, state=EventState.RUNNING))
    late = saved.press("Save the text", entropy="too late")
    assert late.status == 422
    assert "its deals are made" in late.words
    assert entrant(local, event, "Ann").entropy == typed_entropy("mine")


def test_leaving_asks_back_and_takes_the_player_out(local: House) -> None:
    event = coming(local)
    enter(local, event, "Ann", system_time())
    asked = signed_in(local, "Ann").open(f"/leagues/{event}").follow("Leave this season")
    assert listed(local, event) == ["Ann"]
    left = asked.press("Leave this season")
    assert "You have left this season." in left.words
    assert "You left this season." in left.words
    assert entrant(local, event, "Ann").state == EntrantState.WITHDRAWN


def test_a_player_can_leave_after_the_season_instead(local: House) -> None:
    event = season(local)
    begin(local, event, "Ann", "Bob")
    page = signed_in(local, "Ann").open(f"/leagues/{event}/leave")
    assert "so all your results leave the table" in page.words
    after = page.press("Leave after this season")
    assert "You play in group 1 as Ann. You are not entered into the next season." in after.words
    own = entrant(local, event, "Ann")
    assert (own.state, own.stays) == (EntrantState.ENTERED, False)
    assert "Leave after this season" not in after.follow("Leave this season").words


def test_who_leaves_a_season_that_is_played_resigns_their_matches(local: House) -> None:
    event, match = season(local), local.start_match("montauk", 2)
    with local.transaction() as ctx:
        ctx.session.merge(local.match(match)).event_id = event
    add(local, event, match, 1, "counts")
    signed_in(local, "Ann").open(f"/leagues/{event}/leave").press("Leave this season")
    assert local.match(match).result == {"ending": "resigned", "winners": [2], "scores": None}


def test_who_has_not_entered_has_nothing_to_leave(local: House) -> None:
    event = coming(local)
    enter(local, event, "Bob", system_time())
    page = signed_in(local, "Ann").open(f"/leagues/{event}/leave")
    assert "You do not take part in this season." in page.words
    asked = signed_in(local, "Bob").open(f"/leagues/{event}/leave")
    asked.press("Leave this season")
    again = asked.press("Leave this season")
    assert again.status == 422
    assert "You have not entered." in again.words


@pytest.mark.parametrize("path", ["", "/text", "/leave"])
def test_no_form_acts_without_its_nonce(local: House, path: str) -> None:
    event = coming(local)
    enter(local, event, "Bob", system_time())
    for name in ("Ann", "Bob"):
        answer = signed_in(local, name).client.post(f"/leagues/{event}{path}", data={"name": "Ann", "entropy": "x"})
        assert answer.status_code == 400
    assert local.rows(select(Entrant.name, Entrant.state, Entrant.entropy)) == [("Bob", EntrantState.ENTERED, None)]


def test_asking_to_leave_needs_a_player(local: House, site: Visitor) -> None:
    assert site.client.get(f"/leagues/{coming(local)}/leave").status_code == 303
