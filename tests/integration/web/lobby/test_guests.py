"""Guests: they play alone or against robots at once, and may leave an address after their first move."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.config import DEFAULT_RATE_LIMITS
from pbem.db.models import Address, LoginSession, Match, OutboxMessage, Player, SeatHolder
from pbem.play.accounts import email_confirmation
from pbem.play.players import registry
from pbem.states import MatchState
from pbem.web.lobby import guests as guest_pages
from tests.support.house import address
from tests.support.web.account.settings import signed_in
from tests.support.web.site import visitor

if TYPE_CHECKING:
    from tests.support.house import House
    from tests.support.pages import Form, Page, Visitor

pytestmark = pytest.mark.usefixtures("judged")
OFFER = "Mail me my next turns?"


@pytest.fixture
def public(house: House) -> House:
    """A service for visitors who are not known, as its operator runs it for everybody."""
    return replace(house, config=replace(house.config, allow_anonymous=False))


@pytest.fixture
def guest(public: House) -> Visitor:
    return visitor(public, keeps=True)


def form_of(page: Page, game: str) -> Form:
    (found,) = (form for form in page.forms if form.action == f"/play/{game}")
    return found


def begin(browser: Visitor, game: str = "minimax", **typed: str) -> Page:
    form = form_of(browser.open("/"), game)
    return browser.send(form, {**form.fields, **typed})


def play_first(browser: Visitor, house: House, page: Page) -> Page:
    """Play the first suggestion in the only match, and open its seat's page again."""
    (match,) = house.all(select(Match))
    with house.course(match.id) as (_table, course):
        move = course.game.suggest(course.position, course.game.to_move(course.position)[0])[0]
    browser.open(f"{page.url}?move={move}").press("Play this move")
    return browser.open(f"/mine/{match.id}")


def begun(browser: Visitor, house: House) -> Page:
    return play_first(browser, house, begin(browser))


def confirm(browser: Visitor, house: House, name: str = "Zoe") -> Page:
    """Open the link that was mailed to an address, and press its button."""
    found = re.search(r"/address/[\w.-]+", house.last(name).text)
    assert found
    return browser.open(found[0]).press("Yes, this is my address")


# -- beginning ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["minimax", "montauk", "martian-trickery"])
def test_one_button_leads_a_stranger_to_their_first_turn(guest: Visitor, public: House, game: str) -> None:
    page = begin(guest, game)
    assert page.url.startswith("/m/")
    assert "Your turn in" in page.words
    (match,) = public.all(select(Match))
    assert (match.game, match.state, match.public, match.rated) == (game, MatchState.RUNNING, False, False)


def test_a_guest_is_mailed_nothing(guest: Visitor, public: House) -> None:
    page = begun(guest, public)
    assert page.status == 200
    page.follow("Resign").press("Yes, resign")
    assert public.all(select(Match.state)) == [MatchState.OVER]
    assert public.all(select(OutboxMessage.id)) == []
    assert public.all(select(Address.email)) == []


def test_a_guest_comes_back_to_their_matches(guest: Visitor, public: House) -> None:
    begin(guest, "montauk")
    begin(guest, "minimax")
    assert len(public.all(select(Player.id).where(Player.is_robot.is_(False)))) == 1
    assert "2 matches wait for you." in guest.open("/mine").words
    assert "2 games wait for you." in guest.open("/").words


def test_a_guest_has_the_zone_and_the_language_of_the_browser(public: House) -> None:
    browser = visitor(public, keeps=True)
    browser.client.environ_base["HTTP_ACCEPT_LANGUAGE"] = "de"
    begin(browser, zone="Europe/Berlin")
    person = select(Player.name, Player.language, Player.time_zone).where(Player.is_robot.is_(False))
    ((name, language, zone),) = public.rows(person)
    assert (language, zone) == ("de", "Europe/Berlin")
    assert name.startswith("Gast ")


def test_an_unknown_zone_is_utc(guest: Visitor, public: House) -> None:
    begin(guest, zone="Mars/Olympus")
    assert public.all(select(Player.time_zone)) == ["UTC"]


def test_opening_the_form_s_page_creates_nobody(guest: Visitor, public: House) -> None:
    guest.open("/")
    assert guest.client.get("/play/minimax").status_code == 405
    assert public.all(select(Player.id)) == []


def test_a_form_without_its_nonce_creates_nobody(guest: Visitor, public: House) -> None:
    begin(guest, nonce="x")
    assert public.all(select(Player.id)) == []


def test_so_many_guests_come_from_one_network(public: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guest_pages, "MAX_GUESTS_PER_HOUR", 2)
    limited = replace(public, config=replace(public.config, limits=DEFAULT_RATE_LIMITS))
    assert [begin(visitor(limited)).status for _ in range(3)] == [200, 200, 429]
    assert len(public.all(select(Player.id))) == 2


# -- what needs an address ------------------------------------------------------------------------------------


def test_a_guest_invites_nobody(guest: Visitor, public: House) -> None:
    begin(guest)
    page = guest.open("/new/martian-whist").press("Start the match", **{"name-2": "Bob", "email-2": address("Bob")})
    assert page.status == 422
    assert "sign in with your mail address first" in page.words
    assert len(public.all(select(Match.id))) == 1


def test_a_guest_opens_no_table_to_strangers(guest: Visitor, public: House) -> None:
    begin(guest)
    page = guest.open("/new/martian-whist").press("Start the match", **{"sits-2": "open"})
    assert page.status == 422
    assert len(public.all(select(Match.id))) == 1


def test_a_guest_chooses_options_of_a_game_that_is_played_alone(guest: Visitor, public: House) -> None:
    begin(guest)
    assert guest.open("/new/minimax").press("Begin", **{"option-size": "1"}).url.startswith("/m/")
    assert sorted(match.options["size"] for match in public.all(select(Match))) == ["long", "small"]
    assert public.all(select(Match.public)) == [False, False]


def test_a_guest_plays_once_more(guest: Visitor, public: House) -> None:
    begun(guest, public).follow("Resign").press("Yes, resign")
    (match,) = public.all(select(Match))
    assert "Your turn in Minimax" in guest.open(f"/mine/{match.id}").press("Play once more").words
    assert public.all(select(OutboxMessage.id)) == []


def test_a_guest_has_no_chat(guest: Visitor) -> None:
    page = begin(guest, "montauk")
    assert "Chat" not in page.words
    assert guest.open(f"{page.url}/talk").status == 404


# -- leaving an address ---------------------------------------------------------------------------------------


def test_an_address_is_asked_for_after_the_first_move(guest: Visitor, public: House) -> None:
    page = begin(guest)
    assert OFFER not in page.words
    assert OFFER in play_first(guest, public, page).words


def test_who_has_an_address_is_not_asked_for_one(public: House) -> None:
    ann = signed_in(public)
    page = ann.open("/new/minimax").press("Begin")
    assert OFFER not in play_first(ann, public, page).words


def test_the_next_turns_come_to_an_address_once_it_is_confirmed(guest: Visitor, public: House) -> None:
    asked = begun(guest, public).press("Yes, mail me", email=address("Zoe"))
    assert "is on its way" in asked.words
    assert public.all(select(Address.email)) == []
    page = confirm(guest, public)
    assert "You get your next turns at zoe@example.org." in page.words
    assert public.rows(select(Address.email, Address.is_main)) == [("zoe@example.org", True)]
    turn = public.last("Zoe")
    assert "our turn" in turn.text
    public.reply(turn, "resign yes")
    assert public.all(select(Match.state)) == [MatchState.OVER]
    assert OFFER not in guest.open("/mine").words


def test_an_address_added_in_the_settings_brings_the_turns_too(guest: Visitor, public: House) -> None:
    begun(guest, public)
    guest.open("/me/addresses").press("Send confirmation", email=address("Zoe"))
    confirm(guest, public)
    assert "our turn" in public.last("Zoe").text


def test_who_confirms_in_another_browser_ends_the_guest_s_session_and_links(guest: Visitor, public: House) -> None:
    page = begun(guest, public)
    page.press("Yes, mail me", email=address("Zoe"))
    confirm(visitor(public), public)
    assert public.all(select(LoginSession.id)) == []
    assert guest.open(page.url).status == 404
    assert public.all(select(SeatHolder.email).where(SeatHolder.seat == 1)) == [address("Zoe")]


def test_at_a_known_player_s_address_the_matches_become_theirs(guest: Visitor, public: House) -> None:
    zoe = signed_in(public, "Zoe")
    begun(guest, public).press("Yes, mail me", email=address("Zoe"))
    page = confirm(guest, public)
    assert "already has an account here" in page.words
    assert public.all(select(Player.name).where(Player.is_robot.is_(False))) == ["Zoe"]
    assert "1 match waits for you." in zoe.open("/mine").words
    assert "Sign in" in guest.open("/").links


def test_nobody_confirms_by_looking(guest: Visitor, public: House) -> None:
    begun(guest, public).press("Yes, mail me", email=address("Zoe"))
    found = re.search(r"/address/[\w.-]+", public.last("Zoe").text)
    assert found
    assert "wants the next turns mailed to zoe@example.org" in visitor(public).open(found[0]).words
    assert public.all(select(Address.email)) == []


def test_a_link_acts_no_more_once_the_guest_has_an_address(guest: Visitor, public: House) -> None:
    page = begun(guest, public)
    page.press("Yes, mail me", email=address("Yan"))
    page.press("Yes, mail me", email=address("Zoe"))
    confirm(guest, public, "Zoe")
    assert confirm(guest, public, "Yan").status == 409
    assert public.all(select(Address.email)) == [address("Zoe")]


def test_no_address_is_asked_without_a_nonce(guest: Visitor, public: House) -> None:
    page = begun(guest, public).press("Yes, mail me", email=address("Zoe"), nonce="x")
    assert page.status == 400
    assert public.all(select(OutboxMessage.id)) == []


def test_a_mistyped_address_is_said_at_once(guest: Visitor, public: House) -> None:
    page = begun(guest, public).press("Yes, mail me", email="nobody")
    assert page.status == 422
    assert "Enter a mail address" in page.words


def test_a_guest_who_signs_in_keeps_their_matches(guest: Visitor, public: House) -> None:
    begin(guest)
    guest.open("/sign-in").press("Mail me a link", email=address("Zoe"))
    found = re.search(r"/sign-in/[\w.-]+", public.last("Zoe").text)
    assert found
    guest.open(found[0]).press("Sign in now", zone="Europe/Berlin")
    assert "1 match waits for you." in guest.open("/mine").words
    assert public.rows(select(Player.time_zone)) == [("Europe/Berlin",)]


def test_a_ban_is_not_left_by_an_address(guest: Visitor, public: House) -> None:
    begun(guest, public).press("Yes, mail me", email=address("Zoe"))
    with public.transaction() as ctx:
        player = registry.get_or_create(ctx, {address("Zoe"): "Zoe"})[address("Zoe")]
        player.banned_at = ctx.now
    assert confirm(guest, public).status == 409


def test_a_guest_s_link_is_no_claim_of_a_player(public: House) -> None:
    with public.transaction() as ctx:
        player = registry.get_or_create(ctx, {address("Ann"): "Ann"})[address("Ann")]
        email_confirmation.send_guest_verification(ctx, player, address("Zoe"))
    assert confirm(visitor(public), public).status == 409
    assert public.all(select(Address.email)) == [address("Ann")]
