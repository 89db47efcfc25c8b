"""The page on which a player declares that a program plays for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.db.models import Match, Player
from tests.support.web.lobby.open_tables import opened, signed_in

if TYPE_CHECKING:
    from tests.support.house import House

DECLARE = "Declare this account a bot’s"


def stored(house: House, name: str) -> tuple[bool, bool]:
    """Return whether somebody is a bot, and whether it may be rated."""
    (row,) = house.rows(select(Player.bot_since, Player.rates_as_bot).where(Player.name == name))
    return row.bot_since is not None, row.rates_as_bot


def test_the_account_leads_to_the_declaration_which_is_kept(local: House) -> None:
    page = signed_in(local, "Bob").open("/me").follow("A program plays for you")
    assert page.url == "/me/bot"
    page = page.press(DECLARE, sure="on", rated="on")
    assert "Saved." in page.words
    assert "This is the account of a bot since" in page.words
    assert stored(local, "Bob") == (True, True)
    form = page.form("Save")
    del form.fields["rated"]
    page = page.press("Save")
    assert stored(local, "Bob") == (True, False)
    assert DECLARE not in page.words


def test_it_is_for_good_and_says_so(local: House) -> None:
    page = signed_in(local, "Bob").open("/me/bot").press(DECLARE, rated="on")
    assert page.status == 422
    assert "Tick the box" in page.words
    assert page.form(DECLARE).fields["rated"] == "on"
    assert stored(local, "Bob") == (False, False)


def test_what_keeps_somebody_from_declaring_is_said(local: House) -> None:
    local.start_match("martian-whist", 2)
    page = signed_in(local, "Bob").open("/me/bot").press(DECLARE, sure="on")
    assert page.status == 409
    assert "You are in a match with other people" in page.words
    assert stored(local, "Bob") == (False, False)


def test_an_old_form_declares_nothing(local: House) -> None:
    bob = signed_in(local, "Bob")
    answer = bob.client.post("/me/bot", data={"sure": "on"})
    assert answer.status_code == 400
    assert stored(local, "Bob") == (False, False)


def test_the_form_of_a_new_match_says_whether_bots_may_play(local: House) -> None:
    ann = signed_in(local, "Ann")
    page = ann.open("/new/martian-whist")
    assert "May programs of other people play (bots)?" in page.words
    page.press("Start the match", **{"sits-2": "open", "bots": "unrated"})
    assert local.all(select(Match.bots)) == ["unrated"]
    assert "Bots may join; a match with one is not rated." in ann.open("/lobby").words


def test_tables_say_nothing_of_bots_where_none_may_play(local: House) -> None:
    table = opened(local)
    for path in ("/lobby", f"/join/{table}"):
        assert "Bots" not in signed_in(local, "Bob").open(path).words


def test_a_bot_is_refused_at_a_table_for_people_in_a_sentence(local: House) -> None:
    table = opened(local)
    bob = signed_in(local, "Bob")
    bob.open("/me/bot").press(DECLARE, sure="on")
    page = bob.open(f"/join/{table}").press("Join as Bob")
    assert "This table is for people only" in page.words
