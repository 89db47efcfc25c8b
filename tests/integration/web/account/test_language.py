"""The language switch at the foot of each page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.db.models import Player
from tests.support.web.account.settings import signed_in
from tests.support.web.site import visitor

if TYPE_CHECKING:
    from tests.support.house import House
    from tests.support.pages import Form, Page


def switch(page: Page) -> Form:
    (found,) = (form for form in page.forms if form.action == "/language")
    return found


def switched(page: Page, language: str, **typed: str) -> Page:
    form = switch(page)
    return page.visitor.send(form, {**form.fields, "language": language, **typed})


def test_a_visitor_reads_on_in_the_language_they_choose(house: House) -> None:
    browser = visitor(house, keeps=True)
    page = switched(browser.open("/rules/minimax?a=b"), "de")
    assert page.url == "/rules/minimax?a=b"
    assert '<html lang="de">' in page.html
    assert '<html lang="de">' in browser.open("/").html


def test_the_browser_s_language_stays_the_default(house: House) -> None:
    browser = visitor(house, keeps=True)
    browser.client.environ_base["HTTP_ACCEPT_LANGUAGE"] = "de"
    assert '<html lang="de">' in browser.open("/").html
    assert "Set-Cookie" not in browser.open("/").response.headers
    assert '<html lang="en">' in switched(browser.open("/"), "en").html


def test_who_is_signed_in_changes_their_setting(house: House) -> None:
    ann = signed_in(house)
    assert '<html lang="de">' in switched(ann.open("/"), "de").html
    assert house.all(select(Player.language)) == ["de"]


def test_a_form_without_its_nonce_changes_no_setting(house: House) -> None:
    switched(signed_in(house).open("/"), "de", nonce="x")
    assert house.all(select(Player.language)) == ["en"]


def test_another_site_s_form_changes_nothing(house: House) -> None:
    browser = visitor(house, keeps=True)
    answer = browser.client.post("/language", data={"language": "de"}, headers={"Sec-Fetch-Site": "cross-site"})
    assert "Set-Cookie" not in answer.headers


def test_an_unknown_language_changes_nothing(house: House) -> None:
    assert '<html lang="en">' in switched(visitor(house, keeps=True).open("/"), "xx").html


def test_it_leads_to_no_other_site(house: House) -> None:
    browser = visitor(house)
    for then in ("https://evil.example/", "//evil.example"):
        assert switched(browser.open("/"), "de", then=then).url == "/"


def test_a_seat_s_page_is_in_the_language_chosen_in_this_browser(house: House) -> None:
    house.start_match("martian-whist", 2)
    browser, turn = visitor(house, keeps=True), house.last("Ann")
    assert '<html lang="en">' in browser.open(f"/m/{turn.token}").html
    assert '<html lang="de">' in switched(browser.open(f"/m/{turn.token}"), "de").html


@pytest.mark.parametrize("typed", ["3C", "nonsense"])
def test_after_a_form_it_leads_to_the_page_of_the_form(house: House, typed: str) -> None:
    browser = visitor(house, keeps=True)
    step = browser.open("/learn/montauk/1").press("Play this move", move=typed)
    page = switched(step, "de")
    assert page.url == "/learn/montauk/1"
    assert '<html lang="de">' in page.html


def test_after_a_form_that_has_no_page_of_its_own_it_leads_home(house: House) -> None:
    house.start_match("martian-whist", 2)
    ann = signed_in(house, "Ann")
    refused = ann.client.post("/lobby/seat", data={"nonce": "old"})
    assert 'name="then" value="/"' in refused.get_data(as_text=True)
