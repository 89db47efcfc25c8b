"""Pages in the language of whoever looks at them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import update

from pbem.db.models import Player
from pbem.i18n import use_locale
from pbem.play.lifecycle.match_requests import Invitee
from tests.support.creating import create_match
from tests.support.house import NAMES
from tests.support.web.site import pages_of

if TYPE_CHECKING:
    from flask.testing import FlaskClient

    from tests.support.house import House

GERMAN = {"Accept-Language": "fr;q=0.9, de-AT;q=0.8, en;q=0.5"}


@pytest.fixture
def client(house: House) -> FlaskClient:
    return pages_of(house).test_client()


@pytest.fixture
def german(house: House) -> House:
    """Return a house where everybody who comes speaks German."""
    with use_locale("de"):
        house.make("martian-whist", 2)
    return house


def test_without_a_wish_pages_are_in_english(client: FlaskClient) -> None:
    for wish in ({}, {"Accept-Language": "fr, ja"}, {"Accept-Language": "de;q=0, *"}):
        page = client.get("/", headers=wish)
        assert page.headers["Content-Language"] == "en"
        assert '<html lang="en">' in page.text
        assert "When it is your turn" in page.text


def test_pages_are_in_the_best_language_that_a_browser_asks_for(client: FlaskClient) -> None:
    for path in ("/", "/new/montauk", "/rules/minimax", "/nowhere"):
        page = client.get(path, headers=GERMAN)
        assert page.headers["Content-Language"] == "de"
        assert "Accept-Language" in page.headers["Vary"]
        assert '<html lang="de">' in page.text
    assert "Wenn du am Zug bist" in client.get("/", headers=GERMAN).text
    assert "Nicht gefunden" in client.get("/nowhere", headers=GERMAN).text
    # Whoever comes next is not spoken to in the language of the one before.
    assert "When it is your turn" in client.get("/").text


def test_what_is_no_text_names_no_language(client: FlaskClient) -> None:
    for path in ("/boards.css", "/static/style.css", "/metrics"):
        with client.get(path, headers=GERMAN) as answer:
            assert "Content-Language" not in answer.headers


def test_a_seats_pages_are_in_its_players_language(house: House, client: FlaskClient) -> None:
    house.start_match("minimax", 1)
    token = house.last("Ann").token
    with house.transaction() as ctx:
        ctx.session.execute(update(Player).values(language="de"))
    page = client.get(f"/m/{token}", headers={"Accept-Language": "en"})
    assert page.headers["Content-Language"] == "de"
    assert "Dein Zug in Minimax" in page.text
    wrong = client.get(f"/m/{token}?move=sow+q", headers={"Accept-Language": "en"}).text
    assert "Es wurde nichts gespielt." in wrong
    assert "Name a card" not in wrong


def test_the_api_gives_its_reasons_in_the_language_asked_for(client: FlaskClient) -> None:
    said = {}
    for language in ("en", "de"):
        headers = {"Accept-Language": language}
        seats = [{"name": "Ann", "email": "ann@example.org"}] * 3
        errors = [
            client.get("/api/matches/none", headers=headers),
            client.post("/api/matches", json={"game": "minimax", "seats": seats}, headers=headers),
            client.post("/api/matches", json={"game": "minimax"}, headers=headers),
        ]
        assert all(error.headers["Content-Language"] == language for error in errors)
        assert [error.get_json()["title"] for error in errors] == ["Not Found", *["Unprocessable Entity"] * 2]
        said[language] = [error.get_json()["reason"] for error in errors]
    assert said["en"] == [
        "There is no such match, or it is private.",
        "Minimax is for one player.",
        "seats: Missing data for required field.",
    ]
    assert said["de"] == [
        "Diese Partie gibt es nicht, oder sie ist privat.",
        "Minimax ist für eine Person.",
        "seats: Diese Angabe fehlt.",
    ]


def test_whoever_is_new_is_mailed_in_the_language_of_whoever_asked_them(german: House) -> None:
    for name in NAMES[:2]:
        mail = german.only(name)
        assert "antworte einfach mit „ja“ oder „nein“" in mail.flat
        assert '<html lang="de">' in mail.html


def test_names_cannot_bring_html_into_a_sentence(house: House, client: FlaskClient) -> None:
    guests = [Invitee("<b>Max</b>", "max@example.org"), Invitee("Bob", "bob@example.org")]
    with house.transaction() as ctx:
        match_id = create_match(ctx, "martian-whist", {}, guests, creator=1).id
    invited = client.get(f"/invitation/{house.only('Bob').token}").text
    assert "&lt;b&gt;Max&lt;/b&gt; invites you to Martian Whist" in invited
    assert "<b>" not in invited
    with client.application.test_request_context(headers=GERMAN):
        client.application.preprocess_request()
        template = client.application.jinja_env.from_string("{{ _('{name} has won.', name='<i>') }}")
        assert template.render() == "&lt;i&gt; hat gewonnen."
        template = client.application.jinja_env.from_string("{{ _(said) }}")
        template.environment.autoescape = True
        assert template.render(said="<i>") == "&lt;i&gt;"
    assert client.get(f"/matches/{match_id}", headers=GERMAN).status_code == 200
