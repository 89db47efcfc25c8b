"""The pages for taking one's data along and for leaving for good."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING
from zipfile import ZipFile

import pytest
from sqlalchemy import select

from pbem.db.models import Player
from pbem.play.accounts import login_sessions
from tests.support.house import open_house
from tests.support.web.site import visitor

if TYPE_CHECKING:
    from tests.support.house import House
    from tests.support.pages import Visitor


@pytest.fixture
def ann(local: House, judged: None) -> Visitor:  # noqa: ARG001
    """Ann, signed in, with a match that runs, one that waits and one that is over."""
    local.start_match("minimax", 1)
    running = local.start_match("martian-whist", 2)
    local.make("martian-whist", 2)
    assert running
    return signed_in(local)


def signed_in(house: House) -> Visitor:
    with house.transaction() as ctx:
        player = ctx.session.scalars(select(Player).where(Player.name == "Ann")).one()
        secret = login_sessions.start(ctx, player, "a browser")
    found = visitor(house, keeps=True)
    found.client.set_cookie("pbem", secret, domain="127.0.0.1")
    return found


def link_in(house: House) -> str:
    (mail,) = (mail for mail in house.mails("Ann") if "/leave/" in mail.text)
    return "/leave/" + mail.text.partition("/leave/")[2].split()[0]


def test_everything_is_downloaded_as_one_file(ann: Visitor) -> None:
    form = ann.open("/me/leave").form("Download everything")
    answer = ann.client.post(form.action, data=form.fields)
    assert answer.mimetype == "application/zip"
    assert "attachment" in answer.headers["Content-Disposition"]
    packed = ZipFile(io.BytesIO(answer.data))
    assert packed.testzip() is None
    assert b'"name": "Ann"' in packed.read("data.json")


def test_leaving_is_confirmed_by_a_mailed_link_and_done_at_a_button(ann: Visitor, local: House) -> None:
    asked = ann.open("/me/leave").press("Send link")
    assert "Nothing is deleted yet. We sent a confirmation link to ann@example.org." in asked.words
    link = link_in(local)
    page = ann.open(link)
    assert "You resign 2 running matches" in page.words
    assert "You decline one match that has not begun." in page.words
    assert local.all(select(Player.deleted_at).where(Player.name == "Ann")) == [None]
    gone = page.press("Delete my account")
    assert "Your account is deleted." in gone.words
    assert local.all(select(Player.name).where(Player.deleted_at.is_not(None))) == ["Former player"]
    assert ann.open(link).status == 404
    assert "Sign in" in ann.open("/me/leave").words
    assert "Thank you for playing" in local.mails("Ann")[-1].flat


def test_the_link_works_where_nobody_is_signed_in_and_signs_nobody_else_out(
    ann: Visitor, site: Visitor, local: House
) -> None:
    ann.open("/me/leave").press("Send link")
    page = site.open(link_in(local)).press("Delete my account")
    assert page.status == 200
    assert "Set-Cookie" not in page.response.headers


@pytest.mark.parametrize("button", ["Download everything", "Send link"])
def test_forms_from_elsewhere_do_nothing(ann: Visitor, local: House, button: str) -> None:
    form = ann.open("/me/leave").form(button)
    page = ann.send(form, {"nonce": "forged"})
    assert page.status == 400
    assert "nothing has been done yet" in page.words
    assert not [mail for mail in local.mails("Ann") if "/leave/" in mail.text]


def test_the_last_form_from_elsewhere_deletes_nothing(ann: Visitor, local: House) -> None:
    ann.open("/me/leave").press("Send link")
    page = ann.open(link_in(local))
    again = ann.send(page.form("Delete my account"), {"nonce": "forged"})
    assert again.status == 400
    assert "Delete my account" in [form.button for form in again.forms]
    assert local.all(select(Player.deleted_at).where(Player.name == "Ann")) == [None]


def test_only_who_is_signed_in_gets_anything(site: Visitor) -> None:
    assert "Sign in" in site.open("/me/leave").words
    assert "Sign in" in site.open("/me/leave/asked").words
    for path in ("/me/leave", "/me/leave/everything"):
        assert site.client.post(path).status_code == 303
    assert site.open("/leave/forged").status == 404


def test_too_many_downloads_are_slowed(ann: Visitor, local: House) -> None:
    limited = open_house(local.engine, local.folder, PBEM_LIMITS="token=10")
    reader = signed_in(limited)
    form = reader.open("/me/leave").form("Download everything")
    answers = [reader.client.post(form.action, data=form.fields).status_code for _ in range(6)]
    assert answers == [200] * 5 + [429]
    assert ann.client.post(form.action, data={}).status_code == 400


def test_who_has_no_address_of_their_own_cannot_be_mailed_the_link(local: House, judged: None) -> None:  # noqa: ARG001
    local.make("minimax", 1)
    page = signed_in(local).open("/me/leave")
    assert "confirm one of your addresses first" in page.words
    assert "Send link" not in [form.button for form in page.forms]
