"""The level of a robot: offered where robots are, remembered by the browser, and named beside the robot."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem import robots
from pbem.db.models import Player, Thought
from pbem.games import GAMES
from pbem.robots import strengths
from tests.support.robots import run_clock, thinking_here
from tests.support.strengths import MEASURED
from tests.support.web.account.settings import signed_in
from tests.support.web.site import visitor

if TYPE_CHECKING:
    from tests.support.house import House
    from tests.support.pages import Form, Visitor

pytestmark = pytest.mark.usefixtures("judged")


@pytest.fixture
def guest(house: House) -> Visitor:
    """Somebody whom the service does not know, at the pages as an operator runs them for everybody."""
    return visitor(replace(house, config=replace(house.config, allow_anonymous=False)), keeps=True)


def levels(house: House) -> list[str]:
    return house.all(select(Player.robot_level).where(Player.is_robot).order_by(Player.id))


def card(browser: Visitor, game: str) -> Form:
    """Return the form of a game's card on the home page."""
    (found,) = (form for form in browser.open("/").forms if form.action in {f"/play/{game}", f"/new/{game}"})
    return found


@pytest.mark.parametrize("game", [key for key, game in GAMES.items() if game.seats[-1] > 1])
def test_the_form_offers_the_levels_that_the_game_has(site: Visitor, game: str) -> None:
    page = site.open(f"/new/{game}")
    offered = [page.html.find(f'name="level-2" value="{level}"') for level in robots.levels(game)]
    assert sorted(offered) == offered
    assert -1 not in offered
    assert page.html.count('name="level-2"') == len(offered)


def test_each_seat_has_a_level_of_its_own(site: Visitor, local: House) -> None:
    seats = {"sits-2": "robot", "level-2": "fair", "sits-3": "robot", "level-3": "easy"}
    site.open("/new/martian-trickery").press("Start the match", **seats)
    assert levels(local) == ["fair", "easy"]


def test_what_was_chosen_stays_when_the_form_is_refused(site: Visitor) -> None:
    typed = {"sits-2": "robot", "level-2": "fair", "sits-3": "invite", "email-3": "", "name-3": ""}
    page = site.open("/new/martian-trickery").press("Start the match", **typed)
    assert page.status == 422
    kept = page.form("Start the match").fields
    assert {name: kept[name] for name in typed} == typed


def test_a_level_that_no_form_of_ours_sends_is_the_one_that_is_offered_first(site: Visitor, local: House) -> None:
    site.open("/new/martian-whist").press("Start the match", **{"sits-2": "robot", "level-2": "hard"})
    assert levels(local) == ["easy"]


def test_whoever_is_new_is_offered_the_easy_robot_and_then_the_one_they_chose_last(
    guest: Visitor, house: House
) -> None:
    form = card(guest, "montauk")
    assert form.fields["level"] == "easy"
    guest.send(form, {**form.fields, "level": "fair"})
    assert levels(house) == ["fair"]
    assert card(guest, "martian-trickery").fields["level"] == "fair"
    assert guest.open("/new/martian-whist").form("Start the match").fields["level-2"] == "fair"


def test_the_level_of_a_card_is_that_of_all_robots(guest: Visitor, house: House) -> None:
    form = card(guest, "martian-trickery")
    guest.send(form, form.fields)
    assert levels(house) == ["easy", "easy"]


def test_at_home_the_card_s_level_is_remembered_too(returning: Visitor, local: House) -> None:
    form = card(returning, "montauk")
    assert form.fields["level"] == "easy"
    assert "/m/" in returning.send(form, {**form.fields, "level": "fair"}).url
    assert levels(local) == ["fair"]
    assert card(returning, "amazonian-buffet").fields["level"] == "fair"


def test_a_known_player_is_offered_the_fair_robot_first(local: House) -> None:
    page = signed_in(local, "Ann").open("/new/montauk")
    assert page.form("Start the match").fields["level-2"] == "fair"


def test_a_match_without_robots_changes_nothing(returning: Visitor) -> None:
    returning.open("/new/montauk").press("Start the match", **{"sits-2": "open", "level-2": "fair"})
    assert card(returning, "montauk").fields["level"] == "easy"


def test_what_was_measured_of_a_level_stands_beside_it(site: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strengths, "measured", lambda: strengths.parse(MEASURED))
    sentence = "Of 100 matches against random moves it wins 93 (90 to 95)"
    assert sentence in site.open("/new/martian-whist").words
    rules = site.open("/rules/martian-whist").words
    assert sentence in rules
    assert "How strong is the robot?" in rules
    assert "How strong is the robot?" not in site.open("/rules/montauk").words


def test_tables_name_the_level_of_their_robots(site: Visitor) -> None:
    site.open("/new/martian-trickery").press(
        "Start the match", **{"sits-2": "robot", "level-2": "easy", "sits-3": "open", "name-1": "Zoe"}
    )
    page = site.open("/lobby")
    assert "Ada (easy robot)" in page.words


def test_the_page_of_a_match_that_a_robot_begins_leads_on_to_the_first_turn(returning: Visitor, local: House) -> None:
    thinking, begins = thinking_here(local), list[str]()
    while not begins:
        page = returning.open("/new/montauk").press("Start the match", **{"sits-2": "robot", "level-2": "strong"})
        begins = local.all(select(Thought.match_id).where(Thought.done_at.is_(None)))
    assert "Ada is thinking." in page.words
    thinking()
    run_clock(local, begins[0])
    assert "Your turn in Montauk" in returning.open(page.url).words
