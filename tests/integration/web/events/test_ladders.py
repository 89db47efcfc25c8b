"""The pages, the feeds and the forms of ladders."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest
from sqlalchemy import select

from pbem.db.models import LadderChallenge
from pbem.play.core.context import system_time
from pbem.states import ChallengeState
from pbem.web.common.atom import NAMESPACE
from pbem.web.events import ladders
from tests.support.db.statements import statements
from tests.support.play.ladders.climbing import (
    SIX,
    accept,
    challenge,
    climb,
    decline,
    end_match,
    found_challenge,
    go_away,
    ladder_matches,
    order,
    run_steps,
    take_back,
)
from tests.support.web.lobby.open_tables import signed_in

if TYPE_CHECKING:
    from tests.support.house import House
    from tests.support.pages import Visitor

DAY = timedelta(days=1)
PAGE = "/ladders/martian-whist"


@pytest.fixture
def six(local: House) -> House:
    """Six people on a ladder, by the clock of this machine."""
    climb(local, at=system_time() - 3 * DAY)
    return local


def test_the_list_has_each_ladder_with_the_first_and_ones_own_place(six: House, site: Visitor) -> None:
    run_steps(six, system_time())
    shown = site.open("/ladders").words
    assert "Martian Whist 6 players; Ann is first." in shown
    assert "Montauk Nobody yet: the first to enter is first." in shown
    assert "Your place is 2." in signed_in(six, "Bob").open("/ladders").words


def test_ones_own_ladders_stand_on_the_page_of_ones_games(six: House) -> None:
    run_steps(six, system_time())
    page = signed_in(six, "Bob").open("/mine")
    assert page.links["Ladder of Martian Whist"] == PAGE
    assert "Your place is 2 of 6." in page.words
    assert "Ladder of Montauk" not in page.words
    assert "Your ladders" not in signed_in(six, "Zoe").open("/mine").words


def test_without_ladders_the_list_says_so(site: Visitor) -> None:
    assert "There is no ladder yet." in site.open("/ladders").words


def test_a_game_without_a_ladder_says_why(local: House, site: Visitor) -> None:
    run_steps(local, system_time())
    page = site.open("/ladders/martian-trickery")
    assert page.status == 404
    assert "Martian Trickery has no ladder: a challenge is between two players." in page.words
    assert site.open("/ladders/chess").status == 404
    assert "Nobody is on this ladder yet" in site.open(PAGE).words
    assert "Nobody has challenged anybody yet." in site.open(PAGE).words


def test_visitors_see_the_places_and_are_led_to_sign_in(six: House, site: Visitor) -> None:
    page = site.open(PAGE)
    assert page.links["Sign in to enter"] == f"/sign-in?then={PAGE}"
    assert re.findall(r'<th scope="row">(\w+)', page.html) == [*SIX]
    assert page.html.count("<td>3 days</td>") == len(SIX)
    assert "Challenge Ann" not in page.links
    assert site.client.post(PAGE, data={"name": "Zoe"}).status_code == 303
    assert site.client.get(f"{PAGE}/challenge?name=Ann").status_code == 303
    assert order(six) == [*SIX]


def test_a_player_enters_under_a_name_and_leaves_after_a_question(six: House) -> None:
    zoe = signed_in(six, "Zoe")
    entered = zoe.open(PAGE).press("Enter, in the last place", name="Zoë")
    assert "You have entered, in the last place." in entered.words
    assert "Your place is 7 of 7." in entered.words
    asked = entered.follow("Leave this ladder")
    assert "You give up place 7" in asked.words
    assert order(six) == [*SIX, "Zoë"]
    assert "You have left the ladder." in asked.press("Leave this ladder").words
    assert order(six) == [*SIX]
    assert "You are not on this ladder." in zoe.open(f"{PAGE}/leave").words


def test_what_was_done_meanwhile_is_refused_above_the_page(six: House) -> None:
    zoe = signed_in(six, "Zoe")
    page = zoe.open(PAGE)
    page.press("Enter, in the last place")
    again = page.press("Enter, in the last place")
    assert again.status == 409
    assert "You have already entered." in again.words
    leaving = zoe.open(f"{PAGE}/leave")
    leaving.press("Leave this ladder")
    assert leaving.press("Leave this ladder").status == 409


def test_those_who_can_be_challenged_have_a_button_that_asks_first(six: House) -> None:
    go_away(six, "Bob", 3, system_time())
    page = signed_in(six, "Dan").open(PAGE)
    assert [name for name in SIX if f"Challenge {name}" in page.links] == ["Ann", "Cleo"]
    asked = page.follow("Challenge Cleo")
    assert "You play for place 3 on the ladder of Martian Whist." in asked.words
    assert "three days a move" in asked.words
    assert six.all(select(LadderChallenge)) == []
    done = asked.press("Challenge Cleo")
    assert "Your challenge is on its way by mail." in done.words
    assert "You have challenged Cleo for place 3." in done.words
    assert "Cleo can answer until" in done.words
    assert not [link for link in done.links if link.startswith("Challenge ")]
    assert "one challenge out" in asked.press("Challenge Cleo").words
    assert "Nobody on this ladder is called “Nemo”" in signed_in(six, "Dan").open(f"{PAGE}/challenge?name=Nemo").words
    assert "Fred is below you." in signed_in(six, "Dan").open(f"{PAGE}/challenge?name=Fred").words


def test_the_one_challenged_accepts_on_the_page(six: House, site: Visitor) -> None:
    number = challenge(six, "Dan", "Bob", system_time())
    bob = signed_in(six, "Bob")
    page = bob.open(PAGE)
    assert "Dan challenges you for place 2." in page.words
    accepted = page.press("Accept: Dan")
    assert "You have accepted." in accepted.words
    (match,) = ladder_matches(six)
    assert found_challenge(six, number).match_id == match.id
    assert site.open(PAGE).links["plays against Dan"] == f"/matches/{match.id}"
    assert "Dan plays against Bob for place 2." in site.open(PAGE).words
    assert site.open(f"/matches/{match.id}").links["Ladder of Martian Whist"] == PAGE
    assert page.press("Decline: Dan").status == 409


def test_a_challenge_is_declined_and_taken_back_on_the_page(six: House) -> None:
    challenge(six, "Dan", "Bob", system_time())
    assert "You have declined." in signed_in(six, "Bob").open(PAGE).press("Decline: Dan").words
    challenge(six, "Dan", "Cleo", system_time())
    assert "You have taken your challenge back." in signed_in(six, "Dan").open(PAGE).press("Take back: Cleo").words


def test_the_link_of_a_mail_answers_without_signing_in(six: House, site: Visitor) -> None:
    number = challenge(six, "Dan", "Bob", system_time())
    (link,) = re.findall(r"/challenges/\S+", six.last("Bob").text)
    page = site.open(link)
    assert "Dan challenges you for place 2." in page.words
    assert found_challenge(six, number).state == ChallengeState.OFFERED
    assert "Dan plays against Bob for place 2." in page.press("Accept").words
    assert found_challenge(six, number).state == ChallengeState.ACCEPTED
    assert page.press("Decline").status == 409
    assert site.open("/challenges/forged").status == 404


def test_the_link_warns_of_a_second_decline(six: House, site: Visitor) -> None:
    decline(six, challenge(six, "Cleo", "Bob", system_time()), "Bob", system_time())
    challenge(six, "Dan", "Bob", system_time())
    link = re.findall(r"/challenges/\S+", six.last("Bob").text)[-1]
    page = site.open(link)
    assert "If you decline this one too, it counts as lost." in page.words
    page.press("Decline")
    assert order(six) == ["Ann", "Dan", "Bob", "Cleo", "Eve", "Fred"]


@pytest.mark.parametrize("path", ["", "/leave", "/challenge", "/challenges/1/accept"])
def test_forms_need_their_nonce(six: House, path: str) -> None:
    challenge(six, "Dan", "Bob", system_time())
    bob = signed_in(six, "Bob")
    assert bob.client.post(f"{PAGE}{path}", data={"name": "Ann"}).status_code == 400
    assert order(six) == [*SIX]
    assert [one.state for one in six.all(select(LadderChallenge))] == [ChallengeState.OFFERED]


def test_what_is_no_challenge_is_not_found(six: House) -> None:
    bob = signed_in(six, "Bob")
    for path in ("challenges/x/accept", "challenges/1/eat"):
        assert bob.client.post(f"{PAGE}/{path}").status_code == 404


def test_past_challenges_are_listed_with_what_became_of_them(six: House, site: Visitor) -> None:
    now = system_time()
    challenger_wins = accept(six, challenge(six, "Dan", "Bob", now), "Bob", now)
    end_match(six, challenger_wins, now, late="Bob")
    run_steps(six, now)
    end_match(six, accept(six, challenge(six, "Cleo", "Ann", now), "Ann", now), now, loser="Cleo")
    end_match(six, accept(six, challenge(six, "Eve", "Dan", now), "Dan", now), now)
    decline(six, challenge(six, "Fred", "Eve", now), "Eve", now)
    take_back(six, challenge(six, "Fred", "Cleo", now), "Fred", now)
    run_steps(six, now)
    shown = site.open(PAGE).words
    for sentence in (
        "Dan won on time against Bob for place 2.",
        "Cleo lost against Ann for place 1.",
        "Eve played against Dan for place 2: nobody won.",
        "Eve declined Fred’s challenge for place",
        "Fred took back a challenge to Cleo for place",
    ):
        assert sentence in shown


def test_a_long_ladder_is_shown_in_parts_beginning_with_ones_own(
    six: House, site: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ladders, "PLACES_PER_PAGE", 4)
    assert "Fred" not in site.open(PAGE).html
    assert '<th scope="row">Fred' in site.open(f"{PAGE}?from=5").html
    assert "<strong>Fred</strong>" in signed_in(six, "Fred").open(PAGE).html


def test_the_feed_has_the_challenges_the_newest_first(six: House, site: Visitor) -> None:
    now = system_time()
    match = accept(six, challenge(six, "Dan", "Bob", now - DAY), "Bob", now - DAY / 2)
    challenge(six, "Eve", "Cleo", now)
    feed = ET.fromstring(site.client.get(f"{PAGE}/feed").get_data())  # noqa: S314 -- rendered here
    entries = [
        {part.tag.partition("}")[2]: part.get("href") or part.text or "" for part in entry}
        for entry in feed.iter(f"{{{NAMESPACE}}}entry")
    ]
    assert [one["title"] for one in entries] == [
        "Eve has challenged Cleo for place 3.",
        "Dan plays against Bob for place 2.",
    ]
    assert entries[0]["link"].endswith(PAGE)
    assert entries[1]["link"].endswith(f"/matches/{match}")
    assert site.client.get("/ladders/montauk/feed").status_code == 200


def test_the_page_costs_as_many_statements_with_six_people_as_with_two(local: House, site: Visitor) -> None:
    now = system_time()
    climb(local, SIX[:2], at=now - DAY)
    challenge(local, "Bob", "Ann", now)
    bob = signed_in(local, "Bob")

    def cost(reader: Visitor, path: str) -> int:
        with statements(local.engine) as found:
            assert reader.open(path).status == 200
        return len(found)

    few = [cost(site, PAGE), cost(bob, PAGE), cost(site, "/ladders"), cost(site, f"{PAGE}/feed")]
    climb(local, SIX[2:], at=now - DAY)
    for challenger, challenged in (("Cleo", "Ann"), ("Dan", "Cleo"), ("Eve", "Dan")):
        challenge(local, challenger, challenged, now)
    many = [cost(site, PAGE), cost(bob, PAGE), cost(site, "/ladders"), cost(site, f"{PAGE}/feed")]
    assert many == few
    assert few[0] <= 8, few
