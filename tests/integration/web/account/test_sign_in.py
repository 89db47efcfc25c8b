"""Signing in by a mailed link, from the first page to signing out."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import pytest
from sqlalchemy import func, select, update

from pbem.db.models import Address, LoginSession, OutboxMessage, Player, SeatHolder, SignInLink
from pbem.play.accounts import login_sessions
from pbem.play.accounts import sign_in as accounts_sign_in
from pbem.play.core.tokens import key_id
from pbem.play.upkeep import sweeper
from pbem.web.common.urls import safe_path
from tests.support.house import address
from tests.support.web.account.sign_in import ASK, NEW, USE, ask, browser, is_in, link_of, sign_in
from tests.support.web.site import visitor

if TYPE_CHECKING:
    from tests.support.house import House
    from tests.support.pages import Visitor

__all__ = ["browser"]
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0"


def asking(then: str) -> str:
    return f"/sign-in?{urlencode({'then': then})}"


def players(house: House) -> int:
    return int(house.all(select(func.count()).select_from(Player))[0])


# -- the way in ------------------------------------------------------------------------------------


def test_a_stranger_signs_in_by_a_mailed_link_and_is_asked_for_a_name_once(local: House, browser: Visitor) -> None:
    page = browser.open("/").follow("Sign in")
    assert "You are signed in" not in page.words
    page = page.press(ASK, email=" Ann@Example.org ")
    assert "If this address can receive mail, we sent a link to it." in page.words
    assert players(local) == 0
    mail = local.only("Ann")
    assert mail.message["Subject"] == "Your sign-in link"
    page = browser.open(link_of(mail))
    assert "a…@example.org" in page.words
    assert "ann@" not in page.html
    page = page.press(USE)
    assert page.url.startswith("/welcome")
    assert page.form("Save name").fields["name"] == "Ann"
    page = page.press("Save name", name="  Ann   of Green Gables ")
    assert is_in(browser, "Ann of Green Gables")
    (known,) = local.all(select(Address))
    assert known.verified_at
    assert known.is_main
    browser.open("/").press("Sign out")
    assert not is_in(browser, "Ann of Green Gables")
    assert not sign_in(local, browser, "Ann").url.startswith("/welcome")
    assert is_in(browser, "Ann of Green Gables")
    assert players(local) == 1


def test_the_mail_says_who_asked_and_what_to_do(local: House) -> None:
    site = visitor(local)
    form = site.open("/sign-in").form(ASK)
    site.client.post(form.action, data={**form.fields, "email": address("Ann")}, headers={"User-Agent": FIREFOX})
    mail = local.only("Ann")
    assert "once, within 20 minutes" in mail.flat
    assert "Firefox on Linux" in mail.flat
    assert "If that was not you, ignore this mail" in mail.flat
    assert mail.message["To"].addresses[0].addr_spec == address("Ann")
    for part in (mail.text, mail.html):
        assert part.count("/sign-in/") >= 1
        assert "127.0.0.1 " not in part.replace("at 127.0.0.1, once", "")


def test_a_player_who_was_invited_signs_in_as_themselves(local: House, browser: Visitor) -> None:
    local.make("martian-whist", 2)
    local.mails("Ann")
    before = players(local)
    assert sign_in(local, browser, "Ann").form("Save name").fields["name"] == "Ann"
    assert players(local) == before
    assert local.all(select(Address.verified_at).where(Address.email == address("Ann")))[0]


def test_the_mail_is_in_the_players_own_language_and_the_pages_too(local: House, browser: Visitor) -> None:
    local.start_match("minimax", 1)
    local.mails("Ann")
    with local.transaction() as ctx:
        ctx.session.execute(update(Player).values(language="de"))
    ask(browser, "Ann")
    page = browser.open(link_of(local.only("Ann")))
    (form,) = (form for form in page.forms if form.action.startswith("/sign-in/"))
    browser.send(form, form.fields)
    assert '<html lang="de">' in browser.open("/").html


def test_several_browsers_may_be_signed_in_at_once(local: House) -> None:
    first, second, third = (visitor(local, keeps=True) for _ in range(3))
    sign_in(local, first, "Ann")
    ask(second, "Ann")
    # Asked for in one browser, used in another.
    third.open(link_of(local.last("Ann"))).press(USE)
    assert [is_in(one, "Ann") for one in (first, second, third)] == [True, False, True]
    first.open("/").press("Sign out")
    assert [is_in(one, "Ann") for one in (first, second, third)] == [False, False, True]


def test_a_visit_ends_where_somebody_else_signs_in_with_the_same_browser(local: House, browser: Visitor) -> None:
    sign_in(local, browser, "Ann")
    ask(browser, "Bob")
    page = browser.open(link_of(local.last("Bob")))
    assert "You are signed in as Ann. Signing in again signs you out first." in page.words
    page.press(USE)
    assert is_in(browser, "Bob")
    assert [visit.ended_at is not None for visit in local.all(select(LoginSession).order_by(LoginSession.id))] == [
        True,
        False,
    ]
    assert "You are signed in as Bob." in browser.open("/sign-in").words


def test_the_cookie_is_kept_to_this_host_and_from_scripts(local: House) -> None:
    for base, name, secure in (
        ("http://127.0.0.1:8000", "pbem", False),
        ("https://127.0.0.1:8000", "__Host-pbem", True),
    ):
        house = replace(local, config=replace(local.config, base_url=base))
        site = visitor(house)
        ask(site, "Ann")
        mail = house.last("Ann")
        page = site.open(f"/sign-in/{mail.text.partition('/sign-in/')[2].split()[0]}")
        cookie = site.send(page.form(USE), page.form(USE).fields, follow=False).response.headers["Set-Cookie"]
        assert cookie.startswith(f"{name}=")
        assert {"HttpOnly", "Path=/", "SameSite=Lax"} <= set(cookie.split("; "))
        assert ("Secure" in cookie.split("; ")) is secure
        assert "Domain" not in cookie


# -- links that do not hold ------------------------------------------------------------------------


def test_a_link_serves_once(local: House, browser: Visitor) -> None:
    sign_in(local, browser, "Ann")
    used = link_of(local.every_mail[-1])
    other = visitor(local, keeps=True)
    page = other.open(used)
    assert page.status == 410
    assert "has already been used" in page.words
    assert address("Ann") not in page.html
    assert "we sent a link to it" in page.press(NEW).words
    other.open(link_of(local.only("Ann"))).press(USE)
    assert is_in(other, "Ann")
    assert "You are signed in as Ann." in browser.open(used).words


def test_a_form_that_is_sent_twice_signs_in_once(local: House) -> None:
    site = visitor(local)
    ask(site, "Ann")
    page = site.open(link_of(local.only("Ann")))
    answers = [site.send(page.form(USE), page.form(USE).fields, follow=False) for _ in range(3)]
    assert [answer.status for answer in answers] == [303, 410, 410]
    assert len(local.all(select(LoginSession))) == 1


def test_a_link_holds_for_twenty_minutes(local: House, browser: Visitor) -> None:
    ask(browser, "Ann", then="/new/minimax")
    link = link_of(local.only("Ann"))
    page = browser.open(link)
    with local.transaction() as ctx:
        ctx.session.execute(update(SignInLink).values(requested_at=ctx.now - timedelta(minutes=20)))
    assert page.press(USE).status == 410
    assert not is_in(browser, "Ann")
    page = browser.open(link)
    assert "has expired. Links are valid for 20 minutes" in page.words
    page.press(NEW)
    assert {row.redirect_path for row in local.all(select(SignInLink))} == {"/new/minimax"}
    assert browser.open(link_of(local.only("Ann"))).press(USE).form("Save name").fields["then"] == "/new/minimax"


@pytest.mark.parametrize("signed", ["x", "x.y", "nothing", "é", "0" * 4000])
def test_a_link_that_is_not_ours_says_what_to_do(site: Visitor, local: House, signed: str) -> None:
    page = site.open(f"/sign-in/{signed}")
    assert page.status == 404
    assert "Get a new link" in page.links
    for path in (f"/sign-in/{signed}", f"/sign-in/{signed}/again"):
        assert site.client.post(path, data={"nonce": "x"}).status_code == 404
    assert not local.all(select(SignInLink))


@pytest.mark.parametrize("nonce", ["", "own"])
def test_a_link_that_still_serves_is_not_replaced(local: House, browser: Visitor, nonce: str) -> None:
    ask(browser, "Ann")
    link = link_of(local.only("Ann"))
    fields = browser.open(link).form(USE).fields if nonce else {}
    answer = browser.client.post(f"{link}/again", data=fields)
    assert (answer.status_code, answer.headers["Location"]) == (303, link)
    assert len(local.all(select(SignInLink))) == 1


def test_a_link_of_another_service_or_key_is_not_ours(local: House, browser: Visitor) -> None:
    ask(browser, "Ann")
    link = link_of(local.only("Ann"))
    other = visitor(local.with_keys("2" * 40), keeps=True)
    assert other.open(link).status == 404
    assert visitor(local.with_keys(*local.config.secret_keys, "2" * 40)).open(link).status == 200


def test_the_same_notice_is_the_same_link_after_a_change_of_keys(local: House) -> None:
    old, newer = local.config, local.with_keys(*local.config.secret_keys, "2" * 40).config
    key = key_id(old.secret_keys[-1])
    assert accounts_sign_in.link_token(old, "row", key) == accounts_sign_in.link_token(newer, "row", key)
    assert accounts_sign_in.link_token(newer, "row", "gone") != accounts_sign_in.link_token(newer, "row", key)


def test_links_are_forgotten_after_a_week_and_old_ones_are_unknown_then(local: House, browser: Visitor) -> None:
    ask(browser, "Ann")
    link = link_of(local.only("Ann"))
    with local.transaction() as ctx:
        ctx.session.execute(update(SignInLink).values(requested_at=ctx.now - timedelta(days=6)))
    with local.transaction() as ctx:
        sweeper.sweep(ctx)
    assert browser.open(link).status == 410
    with local.transaction(datetime.now(UTC) + timedelta(days=2)) as ctx:
        sweeper.sweep(ctx)
    assert browser.open(link).status == 404


def test_no_row_holds_a_link_in_clear(local: House, browser: Visitor) -> None:
    ask(browser, "Ann")
    rows = repr([vars(row) for row in (*local.all(select(OutboxMessage)), *local.all(select(SignInLink)))])
    link = link_of(local.only("Ann"))
    assert link.removeprefix("/sign-in/") not in rows
    browser.open(link).press(USE)
    cookie = browser.client.get_cookie("pbem", "127.0.0.1")
    assert cookie
    assert cookie.value not in repr([vars(row) for row in local.all(select(LoginSession))])


# -- an address that somebody else claims -----------------------------------------------------------


def test_an_address_that_somebody_only_claims_signs_nobody_in_to_their_account(local: House, browser: Visitor) -> None:
    """Who adds a stranger's address to an account has not lured the stranger into it."""
    local.start_match("minimax", 1)
    with local.transaction() as ctx:
        claimer = ctx.session.scalars(select(Player)).one()
        ctx.session.add(Address(email=address("Bob"), player_id=claimer.id, created_at=ctx.now))
    local_match = local.make("martian-whist", 2)
    assert sign_in(local, browser, "Bob").url.startswith("/welcome")
    assert is_in(browser, "Bob")
    rows = local.rows(select(Address.email, Address.player_id, Address.is_main).order_by(Address.email))
    assert [(email, main) for email, _, main in rows] == [(address("Ann"), True), (address("Bob"), True)]
    ann, bob = (player for _, player, _ in rows)
    assert ann != bob
    held = dict(local.rows(select(SeatHolder.email, SeatHolder.player_id).where(SeatHolder.match_id == local_match)))
    assert held == {address("Ann"): ann, address("Bob"): bob}


# -- where to --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path", ["/", "/new/minimax", "/join/x?a=b&c=%2F", "/m/x?chosen=take+1#board", "/matches/x?u=//y"]
)
def test_whoever_signs_in_is_led_to_the_page_they_wanted(path: str, local: House, browser: Visitor) -> None:
    assert safe_path(path) == path
    form = browser.open(asking(path)).form(ASK)
    browser.send(form, {**form.fields, "email": address("Ann")})
    page = browser.open(link_of(local.only("Ann")))
    led = browser.send(page.form(USE), page.form(USE).fields)
    assert led.form("Save name").fields["then"] == path
    answer = browser.send(led.form("Save name"), led.form("Save name").fields, follow=False)
    assert answer.response.headers["Location"] == path


ELSEWHERE = (
    "//evil.example", "///evil.example", "https://evil.example/", "http:evil.example", "https:/evil.example",
    "javascript:alert(1)", "data:text/html,x", "/\\evil.example", "\\\\evil.example", "\\/evil.example",
    "/\t/evil.example", "/\n/evil.example", "\t//evil.example", " //evil.example", "/ /evil.example",
    "/x//evil.example", "/..//evil.example", "evil.example", "?then=//evil.example", "#x", "", "/\x00", "/\x7f",
    "/\u2028", "/é", "//[", "/" + "x" * 1000, "@evil.example", "/\r\nX: y",
)  # fmt: skip


@pytest.mark.parametrize("path", ELSEWHERE)
def test_nobody_is_led_elsewhere(path: str, local: House, browser: Visitor) -> None:
    assert safe_path(path) == ""
    form = browser.open(asking(path)).form(ASK)
    assert form.fields["then"] == ""
    browser.send(form, {**form.fields, "email": address("Ann"), "then": path})
    page = browser.open(link_of(local.only("Ann")))
    led = browser.send(page.form(USE), page.form(USE).fields, follow=False).response.headers["Location"]
    assert led == "/welcome?then=/mine"
    form = browser.open(led).form("Save name")
    answer = browser.send(form, {**form.fields, "then": path}, follow=False)
    assert answer.response.headers["Location"] == "/mine"
    assert "evil" not in browser.open(f"/welcome?{urlencode({'then': path})}").html


# -- forms that come from elsewhere ------------------------------------------------------------------


def test_every_form_is_our_own(local: House, browser: Visitor) -> None:
    page = browser.open("/sign-in").press(ASK, email=address("Ann"), nonce="forged")
    assert page.status == 400
    assert page.form(ASK).fields["email"] == address("Ann")
    assert not local.all(select(SignInLink))
    ask(browser, "Ann")
    link = link_of(local.only("Ann"))
    page = browser.open(link).press(USE, nonce="forged")
    assert page.status == 400
    assert not local.all(select(LoginSession))
    first = page.press(USE)
    assert first.press("Save name", nonce="forged", name="Eve").status == 400
    assert is_in(browser, "Ann")
    over = visitor(local).open(link)
    assert over.press(NEW, nonce="forged").status == 410
    assert local.mails("Ann") == []
    home = browser.open("/")
    home.press("Sign out", nonce="forged")
    assert is_in(browser, "Ann")


def test_a_form_that_another_site_sends_is_not_ours(local: House, browser: Visitor) -> None:
    """Whoever fetches a nonce for nobody in particular cannot have a stranger's browser send it."""
    form = browser.open("/sign-in").form(ASK)
    data = {**form.fields, "email": address("Ann")}
    for site, status in (("cross-site", 400), ("same-site", 400), ("same-origin", 303), ("none", 303)):
        assert browser.client.post(form.action, data=data, headers={"Sec-Fetch-Site": site}).status_code == status
    assert len(local.all(select(SignInLink))) == 2


def test_a_nonce_of_another_visit_does_not_hold(local: House, browser: Visitor) -> None:
    other = visitor(local, keeps=True)
    sign_in(local, browser, "Ann")
    sign_in(local, other, "Bob")
    foreign = other.open("/welcome").form("Save name").fields["nonce"]
    assert browser.open("/welcome").press("Save name", nonce=foreign, name="Eve").status == 400


def test_a_name_that_cannot_be_is_refused_at_its_field(local: House, browser: Visitor) -> None:
    page = sign_in(local, browser, "Ann").press("Save name", name="www.example.org")
    assert page.status == 422
    assert "A name cannot contain a link" in page.words
    assert page.form("Save name").fields["name"] == "www.example.org"


@pytest.mark.parametrize("path", ["/welcome"])
def test_pages_for_those_who_are_signed_in_lead_to_signing_in_and_back(site: Visitor, path: str) -> None:
    page = site.open(path)
    assert page.url.startswith("/sign-in")
    assert page.form(ASK).fields["then"] == path
    assert site.client.post(path, data={"name": "x"}).location.startswith("/sign-in")


def test_signing_out_twice_does_no_harm(local: House, browser: Visitor) -> None:
    sign_in(local, browser, "Ann")
    form = browser.open("/").form("Sign out")
    for _ in range(2):
        assert browser.send(form, form.fields).status == 200
    assert not is_in(browser, "Ann")


# -- visits ----------------------------------------------------------------------------------------


def test_a_visit_ends_by_itself(local: House, browser: Visitor) -> None:
    sign_in(local, browser, "Ann")
    with local.transaction() as ctx:
        ctx.session.execute(
            update(LoginSession).values(seen_at=ctx.now - timedelta(days=login_sessions.IDLE_DAYS, seconds=1))
        )
    assert not is_in(browser, "Ann")


def test_when_a_browser_was_last_seen_is_kept_by_the_hour(local: House, browser: Visitor) -> None:
    sign_in(local, browser, "Ann")
    (first,) = local.all(select(LoginSession.seen_at))
    browser.open("/")
    assert local.all(select(LoginSession.seen_at)) == [first]
    with local.transaction() as ctx:
        ctx.session.execute(update(LoginSession).values(seen_at=ctx.now - timedelta(hours=2)))
    browser.open("/")
    assert local.all(select(LoginSession.seen_at))[0] >= first
