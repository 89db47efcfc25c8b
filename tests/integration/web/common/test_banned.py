"""Whoever is shut out is told so by a page, and gets no further."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.play.operators import player_actions
from tests.support.play.operators.office import confirmed, does, player_of
from tests.support.web.account.sign_in import ask, is_in, link_of, sign_in
from tests.support.web.site import visitor

if TYPE_CHECKING:
    from tests.support.house import House

SENTENCE = "You wrote to others what nobody should read."


def test_a_link_signs_nobody_in_who_is_shut_out_and_says_why(local: House) -> None:
    browser = visitor(local, keeps=True)
    sign_in(local, browser, "Ann")
    assert is_in(browser, "Ann")
    does(local, player_actions.ban, player_of(local, "Ann"), sentence=SENTENCE)
    local.mails("Ann")
    assert not is_in(browser, "Ann")
    ask(browser, "Ann")
    page = browser.open(link_of(local.last("Ann"))).press("Sign in now")
    assert page.status == 403
    assert f"You are banned: “{SENTENCE}”" in page.words
    assert not is_in(browser, "Ann")
    does(local, player_actions.unban, player_of(local, "Ann"))
    sign_in(local, browser, "Ann")
    assert is_in(browser, "Ann")


def test_the_page_of_a_seat_that_was_theirs_is_known_no_more(local: House) -> None:
    local.start_match("martian-whist", 2)
    mail = local.last("Bob")
    confirmed(local, "Bob")
    browser = visitor(local)
    assert browser.open(f"/m/{mail.token}").status == 200
    does(local, player_actions.ban, player_of(local, "Bob"), sentence=SENTENCE)
    assert browser.open(f"/m/{mail.token}").status == 404
