"""A seat's page of its match: it follows the match live, and offers the player's next game."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import update

from pbem.db.models import Match, Player
from tests.support.play.players.robots import AS_ROBOT
from tests.support.web.account.sign_in import sign_in
from tests.support.web.seat.turn import present, turn
from tests.support.web.site import visitor

if TYPE_CHECKING:
    from tests.support.house import House
    from tests.support.pages import Page, Visitor

REFRESH = '<meta http-equiv="refresh"'


def mark(site: Visitor, page: Page) -> str:
    """Return the version of a match that the page of a seat names."""
    text = site.client.get(f"{page.url.partition('?')[0]}/live").text
    (found,) = (line.removeprefix("id: ") for line in text.splitlines() if line.startswith("id: "))
    return found


def moved(returning: Visitor, house: House) -> Page:
    """Play a move by Ann; return the page that it leads to."""
    return turn(returning, house).press("Preview", move="take 7").press("Play this move")


def test_a_waiting_player_hears_of_moves_messages_and_offers(returning: Visitor, local: House) -> None:
    match_id = local.start_match("martian-whist", 2)
    waiting = moved(returning, local)
    marks = [mark(returning, waiting)]
    assert f'data-mark="{marks[0]}"' in waiting.html
    bob = visitor(local)
    present(bob, local, match_id, "Bob").press("Send", words="Hello")
    marks.append(mark(returning, waiting))
    present(bob, local, match_id, "Bob").follow("Take-back, draw, pause, more time").press("Offer a draw")
    marks.append(mark(returning, waiting))
    present(bob, local, match_id, "Bob").press("Preview", move="take 8").press("Play this move")
    marks.append(mark(returning, waiting))
    assert len(set(marks)) == len(marks)


def test_an_old_link_hears_of_moves_alone(returning: Visitor, local: House) -> None:
    match_id = local.start_match("martian-whist", 2)
    waiting, stranger = moved(returning, local), visitor(local)
    present(visitor(local), local, match_id, "Bob").press("Preview", move="take 8").press("Play this move")
    before = mark(stranger, waiting)
    present(visitor(local), local, match_id, "Ann").press("Send", words="Hello")
    assert mark(stranger, waiting) == before


def test_where_the_turn_comes_while_one_looks_the_page_says_so(returning: Visitor, local: House) -> None:
    local.start_match("martian-whist", 2)
    waiting = moved(returning, local)
    follow = f"{waiting.url.partition('?')[0]}?follow=1"
    assert follow in waiting.html
    assert "Make your move" not in returning.open(follow).links
    turn(visitor(local), local, "Bob").press("Preview", move="take 8").press("Play this move")
    page = returning.open(follow)
    assert "It is your turn." in page.words
    assert "Your turn in Martian Whist" in page.follow("Make your move").words
    assert "Your turn in Martian Whist" in returning.open(waiting.url).words


def test_without_scripts_the_page_loads_itself_again_if_its_reader_asks(returning: Visitor, local: House) -> None:
    local.start_match("martian-whist", 2)
    page = moved(returning, local)
    assert REFRESH not in page.html
    again = page.follow("Reload this page every 30 seconds")
    assert REFRESH in again.html
    assert "live.js" not in again.html
    assert REFRESH not in again.follow("Stop reloading this page").html


@pytest.mark.parametrize("signed_in", [False, True])
def test_the_next_game_that_waits_is_one_button_away(returning: Visitor, local: House, *, signed_in: bool) -> None:
    whist, minimax = local.start_match("martian-whist", 2), local.start_match("minimax", 1)
    solo = present(returning, local, minimax, "Ann")
    if signed_in:
        sign_in(local, returning, "Ann")
    else:
        solo.follow("Preview").press("Play this move")
    page = present(returning, local, whist, "Ann").press("Preview", move="take 7").press("Play this move")
    assert "Your turn in Minimax" in page.follow("Next game: Minimax").words


def test_games_that_the_browser_does_not_hold_are_not_named(returning: Visitor, local: House) -> None:
    whist = local.start_match("martian-whist", 2)
    local.start_match("minimax", 1)
    page = present(returning, local, whist, "Ann").press("Preview", move="take 7").press("Play this move")
    assert "Next game" not in page.words


def test_the_page_of_a_match_leads_its_players_to_their_own(returning: Visitor, local: House) -> None:
    match_id = local.start_match("martian-whist", 2)
    moved(returning, local)
    page = returning.open(f"/matches/{match_id}")
    assert "It is Bob’s turn" in page.follow("Your page of this match").words
    turn(visitor(local), local, "Bob").press("Preview", move="take 8").press("Play this move")
    page = returning.open(f"/matches/{match_id}")
    assert "It is your turn." in page.words
    assert "Your turn in Martian Whist" in page.follow("Make your move").words
    stranger = visitor(local)
    assert "Make your move" not in stranger.open(f"/matches/{match_id}").links
    assert "/sign-in" in stranger.open(f"/matches/{match_id}/own").url


def test_where_only_robots_sit_there_is_no_chat(returning: Visitor, local: House) -> None:
    match_id = local.start_match("martian-whist", 2)
    page = present(returning, local, match_id, "Ann")
    assert "Message to all players" in page.words
    assert "Message to all players" in page.press("Preview", move="take 7").words
    with local.transaction() as ctx:
        ctx.session.execute(update(Player).where(Player.name == "Bob").values(**AS_ROBOT))
    page = present(returning, local, match_id, "Ann")
    preview = page.press("Preview", move="take 7")
    for alone in (page, preview, preview.press("Play this move")):
        assert "Message to all players" not in alone.words
        assert "Nudge" not in alone.words


def test_the_address_in_mails_that_ask_for_no_move_leads_to_the_page_of_the_seat(site: Visitor, local: House) -> None:
    local.start_match("martian-whist", 2)
    local.reply(local.last("Ann"), "take 7")
    receipt = local.last("Ann")
    assert f"/seat/{receipt.token}" in receipt.text
    page = site.open(f"/seat/{receipt.token}")
    assert page.url == f"/m/{receipt.token}"
    assert "It is Bob’s turn" in page.words
    assert site.client.get("/seat/" + "0" * 26, follow_redirects=True).status_code == 404


def test_a_private_match_is_followed_too(returning: Visitor, local: House) -> None:
    match_id = local.start_match("martian-whist", 2)
    with local.transaction() as ctx:
        ctx.session.execute(update(Match).where(Match.id == match_id).values(public=False))
    page = moved(returning, local)
    assert "live.js" in page.html
    assert mark(returning, page)
    assert returning.open(f"/matches/{match_id}/own").words == returning.open(page.url.partition("?")[0]).words
