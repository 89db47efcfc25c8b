"""What a match says of time: chosen on the form, by API or mail, and told to all before anybody accepts."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from pbem.db.models import Match
from pbem.play.clocks import timeout_policies
from pbem.play.core.errors import Refused
from pbem.play.lifecycle import rematches
from pbem.play.lifecycle.match_requests import Invitee
from pbem.play.matches.seats import holders
from tests.support.creating import create_match
from tests.support.house import address
from tests.support.rematching import finals
from tests.support.web.site import visitor

if TYPE_CHECKING:
    from tests.support.house import House
    from tests.support.pages import Visitor

WEEKEND = "three days for each move; Saturdays and Sundays do not count"
OPEN = {"name-2": "", "email-2": "", "sits-2": "open"}


def only(house: House) -> Match:
    (match,) = house.all(select(Match))
    assert isinstance(match, Match)
    return match


def agreed(match: Match) -> tuple[str, str, int | None]:
    return match.time_control, match.timeout_policy, match.min_reliability


def test_the_form_offers_what_is_usual_among_friends(site: Visitor, local: House) -> None:
    page = site.open("/new/montauk")
    for said in (*timeout_policies.POLICIES.values(), *timeout_policies.RELIABILITY_REQUIREMENTS.values(), WEEKEND):
        assert said in page.words
    page.press("Start the match")
    assert agreed(only(local)) == ("3 days", "vote", None)


def test_strangers_are_replaced_unless_it_is_said(site: Visitor, local: House) -> None:
    site.open("/new/martian-whist").press("Start the match", **OPEN)
    assert agreed(only(local)) == ("3 days", "substitute", None)


def test_what_is_chosen_holds_and_is_told_wherever_somebody_may_accept(site: Visitor, local: House) -> None:
    chosen = {"clock": "weekend", "on_time": "loss", "reliable": "90", **OPEN}
    site.open("/new/martian-whist").press("Start the match", **chosen)
    match = only(local)
    assert agreed(match) == ("weekend", "loss", 90)
    for path in (f"/join/{match.id}", f"/matches/{match.id}"):
        words = site.open(path).words
        assert WEEKEND in words
        assert "A player who runs out of time loses." in words
        assert "at least 9 of 10 matches" in words
    listed = site.open("/lobby").words
    assert "three days a move, weekends free · rated · since" in listed
    assert "A player who runs out of time loses. Open seats are for new players" in listed
    assert site.open("/lobby?clock=weekend").words.count("A player who runs out of time") == 1
    assert "A player who runs out of time" not in site.open("/lobby?clock=relaxed").words


@pytest.mark.parametrize("wish", [{}, {"open_if_declined": "1"}])
def test_the_seat_of_whoever_declines_is_opened_only_on_wish(site: Visitor, local: House, wish: dict[str, str]) -> None:
    page = site.open("/new/martian-whist")
    assert "If somebody declines, open their seat to others" in page.words
    page.press("Start the match", **wish)
    assert only(local).open_if_declined is bool(wish)


def test_a_form_that_is_shown_again_keeps_the_wish(site: Visitor) -> None:
    shown = site.open("/new/martian-whist?open_if_declined=1")
    assert 'name="open_if_declined" value="1" checked' in shown.html


def test_an_invitation_says_it_by_mail_and_page(site: Visitor, local: House) -> None:
    local.make("montauk", 2, {"rounds": 3}, clock="relaxed", on_time="vote", creator=1)
    mail = local.last("Bob")
    assert "The clock: two weeks, plus a day with each move. A player who runs out of time gets" in mail.flat
    words = site.open(f"/invitation/{mail.token}").words
    assert "one more day with each move, at most three weeks. A player who runs out of time gets" in words


def test_a_match_of_one_has_no_clock_and_no_end_of_time(site: Visitor, local: House) -> None:
    page = site.open("/new/minimax")
    assert "run out" not in page.words
    with local.transaction() as ctx:
        match = create_match(ctx, "minimax", {}, [Invitee("Ann", address("Ann"))], clock="1 day")
        assert match.time_control == "none"
        assert timeout_policies.describe_policy(match.time_control, match.timeout_policy) == ""
        assert (
            timeout_policies.describe(match.time_control, match.timeout_policy) == "No deadlines: as long as you like."
        )


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [({"on_time": "doom"}, "Unknown timeout policy"), ({"reliable": 100}, "Unknown reliability")],
)
def test_terms_that_are_none_are_refused(site: Visitor, local: House, wrong: dict[str, Any], sentence: str) -> None:
    with local.transaction() as ctx, pytest.raises(Refused, match=sentence):
        create_match(ctx, "minimax", {}, [Invitee("Ann", address("Ann"))], **wrong)
    wanted = {"game": "minimax", "seats": [{"name": "Ann", "email": address("Ann")}], **wrong}
    answer = site.client.post("/api/matches", json=wanted)
    assert answer.status_code == 422
    assert sentence in json.loads(answer.data)["reason"]


def test_programs_say_it_too_or_get_what_is_usual(site: Visitor, local: House) -> None:
    seats = [{"name": name, "email": address(name)} for name in ("Ann", "Bob")]
    for more in ({}, {"clock": "relaxed", "on_time": "loss", "reliable": 75}):
        assert site.client.post("/api/matches", json={"game": "montauk", "seats": seats, **more}).status_code == 201
    both = {agreed(match) for match in local.all(select(Match))}
    assert both == {("3 days", "vote", None), ("relaxed", "loss", 75)}
    described = site.client.get("/api/openapi.json").get_data(as_text=True)
    assert "on_time" in described
    assert "reliable" in described


def test_a_rematch_keeps_them(local: House) -> None:
    finals(local, "martian-whist", 2)
    with local.transaction() as ctx:
        match = ctx.session.scalars(select(Match)).one()
        match.time_control, match.timeout_policy, match.min_reliability = "relaxed", "loss", 75
        again = rematches.request(ctx, match, holders(ctx, match)[0].player)
        assert agreed(again) == ("relaxed", "loss", 75)


def test_german_readers_are_told_in_german(local: House) -> None:
    german = visitor(local)
    local.make("montauk", 2, {"rounds": 3}, clock="3 days", on_time="loss", creator=1)
    match = only(local)
    page = german.client.get(f"/matches/{match.id}", headers={"Accept-Language": "de"}).get_data(as_text=True)
    assert "überschreitet, verliert" in page
