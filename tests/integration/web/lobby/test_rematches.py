"""The button that asks for a rematch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.states import MatchState
from tests.support.rematching import finals, left, signed_in, the_rematch
from tests.support.web.site import visitor

if TYPE_CHECKING:
    from tests.support.house import House
    from tests.support.pages import Visitor


def test_the_last_page_has_a_button(site: Visitor, local: House) -> None:
    mails = finals(local, "martian-whist", 2)
    page = site.open(f"/m/{mails['Ann'].token}").press("Ask for a rematch")
    assert "You have accepted. The match begins when Bob has accepted too" in page.words
    # Whoever presses it second is in the match at once.
    page = site.open(f"/m/{mails['Bob'].token}").press("Ask for a rematch")
    assert "Your turn in Martian Whist" in page.words
    assert the_rematch(local).state == MatchState.RUNNING


def test_alone_one_plays_once_more_at_once(site: Visitor, local: House) -> None:
    mails = finals(local, "minimax", 1)
    assert "Play again? Reply “rematch”." in mails["Ann"].flat
    page = site.open(f"/m/{mails['Ann'].token}").press("Play once more")
    assert "Your turn in Minimax" in page.words


def test_an_old_form_or_an_old_link_makes_none(site: Visitor, local: House) -> None:
    local.start_match("martian-whist", 2)
    old = local.last("Ann")
    local.reply(old, local.legal(local.match_ids()[0], 1)[0])
    local.reply(local.last("Bob"), "resign yes")
    page = site.open(f"/m/{local.last('Ann').token}")
    again = page.press("Ask for a rematch", nonce="x")
    assert again.status == 400
    assert "nothing has been done yet" in again.words
    form = page.form("Ask for a rematch")
    form.action = f"/m/{old.token}/rematch"
    assert "Mail me a fresh link" in site.send(form, form.fields).html
    assert len(local.match_ids()) == 1


def test_where_there_can_be_none_the_page_says_why(site: Visitor, local: House) -> None:
    mails = finals(local, "martian-whist", 2)
    page = site.open(f"/m/{mails['Ann'].token}")
    left(local, "Bob")
    refused = page.press("Ask for a rematch")
    assert refused.status == 409
    assert "Too few players are left" in refused.words
    assert "rematch" not in site.open(f"/m/{mails['Ann'].token}").words


def test_whoever_is_signed_in_asks_from_the_public_page(local: House, judged: None) -> None:  # noqa: ARG001
    finals(local, "martian-whist", 2)
    (old,) = local.match_ids()
    site, other = (signed_in(local, name) for name in ("Ann", "Zoe"))
    assert "rematch" not in other.open(f"/matches/{old}").words.casefold()
    page = site.open(f"/matches/{old}").press("Ask for a rematch")
    assert "You have accepted. The match begins when Bob has accepted too" in page.words
    assert other.client.post(f"/matches/{old}/rematch").status_code == 404
    assert visitor(local).client.post(f"/matches/{old}/rematch").headers["Location"].startswith("/sign-in")
