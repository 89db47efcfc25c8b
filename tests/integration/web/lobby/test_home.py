"""The first page and starting a match."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.db.models import Match, OutboxMessage
from pbem.games import GAMES
from tests.support.web.lobby.new_match import matches, shut
from tests.support.web.site import visitor

if TYPE_CHECKING:
    from tests.support.house import House
    from tests.support.pages import Page, Visitor


def test_one_button_leads_to_the_first_turn(site: Visitor) -> None:
    page = site.open("/").press("Play now")
    assert page.url.startswith("/m/")
    assert "Your turn in Minimax" in page.words
    assert "<svg" in page.html


def test_two_buttons_invite_a_friend(site: Visitor, local: House) -> None:
    page = site.open("/").follow("Invite a friend").press("Start the match")
    assert "Invitations sent" in page.words
    local.deliver()
    assert page.follow("Open Sam’s mailbox and accept").status == 200
    (match,) = local.all(select(Match))
    assert match.state == "inviting"
    assert [seat.accepted_at is not None for seat in local.match_seats(match.id)] == [True, False]


@pytest.mark.parametrize("game", GAMES)
def test_every_game_can_be_started_and_read_about(game: str, site: Visitor, local: House) -> None:
    form = site.open(f"/new/{game}")
    typed = {f"name-{number}": f"P{number}" for number in range(1, GAMES[game].seats[0] + 1)}
    typed |= {f"email-{number}": f"p{number}@example.org" for number in range(1, GAMES[game].seats[0] + 1)}
    button = next(form.button for form in form.forms)
    assert form.press(button, **typed).status == 200
    assert local.all(select(Match))[0].game == game
    assert f"<h1>{GAMES[game].name}</h1>" in site.open(f"/rules/{game}").html


def test_the_options_are_those_that_were_chosen(site: Visitor, local: House) -> None:
    form = site.open("/new/martian-trickery")
    form.press("Start the match", **{"option-prizes": "1", "option-hands": "2"})
    options = local.all(select(Match))[0].options
    assert options == {"prizes": "two-stash", "hands": 2}


def test_options_that_exclude_each_other_are_refused_with_the_reason(site: Visitor, local: House) -> None:
    page = site.open("/new/martian-trickery").press(
        "Start the match", **{"option-prizes": "1", "option-out": "2", "name-1": "Ann"}
    )
    assert page.status == 422
    assert page.form("Start the match").fields["name-1"] == "Ann"
    assert page.form("Start the match").fields["option-out"] == "2"
    assert matches(local) == 0


def test_an_option_that_is_not_on_the_form_is_the_default(site: Visitor, local: House) -> None:
    for number in ("99", "-1", "x", "²"):
        site.open("/new/minimax").press("Begin", **{"option-size": number})
    assert {match.options["size"] for match in local.all(select(Match))} == {"small"}


def test_what_is_wrong_is_said_at_its_field_and_nothing_typed_is_lost(site: Visitor, local: House) -> None:
    page = site.open("/new/martian-whist").press(
        "Start the match", **{"name-1": "Ann", "email-2": "nonsense", "option-sets": "1"}
    )
    assert page.status == 422
    assert 'id="wrong-2"' in page.html
    assert 'id="wrong-1"' not in page.html
    assert "Enter a mail address" in page.words
    assert page.form("Start the match").fields["name-1"] == "Ann"
    assert page.form("Start the match").fields["option-sets"] == "1"
    assert matches(local) == 0


def test_two_seats_with_one_address_are_refused(site: Visitor) -> None:
    page = site.open("/new/martian-whist").press("Start the match", **{"email-2": "you@example.org"})
    assert page.status == 422
    assert "the same mail address" in page.words


def test_an_old_form_is_shown_again(site: Visitor, local: House) -> None:
    page = site.open("/new/martian-whist").press("Start the match", **{"nonce": "old", "name-2": "Zoe"})
    assert page.status == 400
    assert "nothing has been done yet" in page.words
    assert page.form("Start the match").fields["name-2"] == "Zoe"
    assert matches(local) == 0
    assert page.press("Start the match").status == 200
    assert matches(local) == 1


def test_the_nonce_of_one_form_does_not_hold_for_another(site: Visitor, local: House) -> None:
    nonce = site.open("/new/minimax").form("Begin").fields["nonce"]
    assert site.open("/new/martian-whist").press("Start the match", nonce=nonce).status == 400
    assert matches(local) == 0


def test_nonces_outlive_the_change_of_keys(local: House, judged: None) -> None:  # noqa: ARG001
    form = visitor(local).open("/new/minimax").form("Begin")
    newer = visitor(local.with_keys(*local.config.secret_keys, "1" * 40))
    assert newer.send(form, form.fields).status == 200
    gone = visitor(local.with_keys("2" * 40))
    assert gone.send(form, form.fields).status == 400


def test_names_are_escaped(site: Visitor) -> None:
    page = site.open("/new/martian-whist").press("Start the match", **{"name-1": '"><script>alert(1)</script>'})
    assert "<script>" not in page.html
    page = site.open("/new/minimax").press("Begin", **{"name-1": "<b>Ann & 'Bob'</b>"})
    assert page.url.startswith("/m/")
    assert "<b>" not in page.html


def test_where_mail_goes_out_only_the_creator_is_written_to_at_first(local: House) -> None:
    page = visitor(shut(local)).open("/new/martian-whist")
    assert page.form("Start the match").fields["email-2"] == ""
    page = page.press("Start the match", **ann_and_bob())
    assert "Accept the match of Martian Whist there. Bob is invited as soon as you have accepted." in page.words
    assert {notice.recipient for notice in local.all(select(OutboxMessage))} == {"ann@example.org"}


def test_where_mail_goes_out_a_solo_match_is_led_to_by_mail_alone(local: House) -> None:
    page = visitor(shut(local)).open("/").follow("Options")
    page = page.press("Begin", **{"name-1": "Ann", "email-1": "ann@example.org"})
    assert page.url.startswith("/made/")
    assert "/m/" not in page.html
    assert "/invitation/" not in page.html
    assert "ann@example.org" not in page.html


def test_where_mail_goes_out_nobody_is_shown_mailboxes(local: House) -> None:
    away = visitor(shut(local))
    assert away.open("/mailbox").status == 404
    for page in (away.open("/"), away.open("/new/minimax")):
        assert "ailbox" not in page.words
        assert "stays on this machine" not in page.words


def test_the_local_house_says_that_mail_stays_here(site: Visitor) -> None:
    for url in ("/", "/new/minimax", "/rules/minimax", "/mailbox", "/nothing"):
        assert "Mail stays on this machine" in site.open(url).words
        assert "PBEM_SMTP_URL" in site.open(url).words


def ann_and_bob() -> dict[str, str]:
    return {"name-1": "Ann", "email-1": "ann@example.org", "name-2": "Bob", "email-2": "bob@example.org"}


def sound(page: Page) -> None:
    assert page.html.startswith("<!doctype html>")
    assert '<html lang="en">' in page.html
    assert page.html.count("<h1") == 1
    assert 'href="#main"' in page.html
    assert " style=" not in page.html
    assert "<script>" not in page.html


def test_pages_are_sound_and_small(site: Visitor) -> None:
    for url in ("/", "/new/minimax", "/new/martian-trickery", "/rules/middle-card", "/mailbox", "/x"):
        page = site.open(url)
        sound(page)
        # The home page shows a board of each game.
        assert len(page.html) < (150_000 if url == "/" else 60_000)


def test_what_is_not_there_is_said_with_what_to_do_next(site: Visitor) -> None:
    for url in ("/new/chess", "/rules/chess", "/made/nothing", "/nowhere"):
        page = site.open(url)
        assert page.status == 404
        assert "Home page" in page.links
    nonce = {"nonce": ""}
    assert site.client.post("/new/chess", data=nonce).status_code == 404
    assert site.client.post("/").status_code == 405


def test_every_answer_has_its_headers(site: Visitor) -> None:
    for url in ("/", "/nowhere", "/new/minimax"):
        headers = site.open(url).response.headers
        assert "default-src 'none'" in headers["Content-Security-Policy"]
        assert headers["Referrer-Policy"] == "no-referrer"
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Cache-Control"] == "no-store"
        assert "Set-Cookie" not in headers


def test_foreign_hosts_are_refused(site: Visitor) -> None:
    for host in ("evil.example", "127.0.0.1.evil.example:8000"):
        assert site.client.get("/", headers={"Host": host}).status_code == 421
    assert site.client.get("/", headers={"Host": "127.0.0.1:8000"}).status_code == 200


def test_the_pictures_colours_are_a_stylesheet(site: Visitor) -> None:
    response = site.client.get("/boards.css")
    assert response.content_type.startswith("text/css")
    assert "prefers-color-scheme: dark" in response.get_data(as_text=True)
    with site.client.get("/static/style.css") as style:
        assert "@import" not in style.get_data(as_text=True)
