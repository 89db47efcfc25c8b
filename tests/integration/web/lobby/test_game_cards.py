"""The home page: a card for each game, what waits for the player, and the header of every page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from pbem.games import GAMES
from tests.support.web.account.settings import signed_in

if TYPE_CHECKING:
    from tests.support.house import House
    from tests.support.pages import Visitor


@pytest.mark.parametrize("game", GAMES)
def test_each_game_has_a_card(site: Visitor, game: str) -> None:
    page = site.open("/")
    name = GAMES[game].name
    assert f"<h2>{name}</h2>" in page.html
    assert f"<title>A board of {name}</title>" in page.html
    assert {f"/new/{game}", f"/rules/{game}"} <= set(re.findall(r'href="(/[^"#]*)', page.html))


def test_pictures_share_no_id(site: Visitor) -> None:
    ids = re.findall(r' id="([^"]+)"', site.open("/").html)
    assert len(ids) == len(set(ids))


def test_a_card_says_how_long_a_match_is(site: Visitor) -> None:
    words = site.open("/").words
    assert "for two players about a minute a move about 30 turns each, about 3 weeks" in words


def test_a_newcomer_on_this_machine_is_told_their_name(site: Visitor) -> None:
    assert "On this machine you play as Robin." in site.open("/").words


def test_a_player_is_led_to_the_match_that_waits(house: House) -> None:
    ann = signed_in(house)
    assert "waits for you" not in ann.open("/").words
    house.start_match("martian-whist", 2)
    page = ann.open("/")
    assert "One game waits for you." in page.words
    assert page.follow("Continue with Martian Whist").url.startswith("/m/")


def test_the_number_of_matches_that_wait_is_on_every_page(house: House) -> None:
    ann, bob = signed_in(house), signed_in(house, "Bob")
    house.start_match("martian-whist", 2)
    house.start_match("martian-whist", 2)
    assert "<title>(2) " in ann.open("/rules").html
    assert "icon-waiting.svg" in ann.open("/rules").html
    assert "My games 2 wait for you" in ann.open("/rules").links
    assert "<title>(" not in bob.open("/rules").html
    assert "icon-waiting.svg" not in bob.open("/rules").html


def test_my_games_lead_to_a_new_one_and_fold_what_programs_need(house: House) -> None:
    house.start_match("martian-whist", 2)
    page = signed_in(house).open("/mine")
    assert page.html.count('href="/#games"') == 2
    assert page.html.index("<summary>Webhooks</summary>") < page.html.index("/webhooks")


def test_an_invitation_waits_too(house: House) -> None:
    house.make("martian-whist", 2)
    assert "<title>(1) " in signed_in(house).open("/rules").html


def test_the_header_leads_to_games_rules_and_matches(site: Visitor) -> None:
    links = site.open("/status").links
    assert [links[name] for name in ("New game", "Rules", "Watch", "Lobby")] == [
        "/#games",
        "/rules",
        "/matches",
        "/lobby",
    ]
    assert "Montauk" in site.open("/").follow("Rules").links
