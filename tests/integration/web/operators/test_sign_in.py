"""Entering the operators' pages: nothing is there for others, and operators show a second factor."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import delete, func, select, update

from pbem.db.models import AuditLogEntry, LoginSession, Operator, Passkey, Player
from pbem.play.core.context import system_time
from pbem.play.operators import membership, second_factor, totp
from tests.support.web.account.passkeys import PRESENT, Device, at, make, named, options
from tests.support.web.account.settings import signed_in
from tests.support.web.operators.office import COOKIE, SHELL, appointed, forget, number_of, phone_of, set_up
from tests.support.web.operators.sign_in import DOORS, PAGES
from tests.support.web.site import visitor

if TYPE_CHECKING:
    from tests.support.house import House
    from tests.support.pages import Page, Visitor

__all__ = ["named"]
POSTS = ("/enter", "/enter/passkey", "/enter/passkey/options", "/second-factor", "/leave", "/act/ban")


# -- others --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("who", ["a stranger", "a player", "a former operator"])
def test_others_find_nothing_there(house: House, who: str) -> None:
    browser = visitor(house) if who == "a stranger" else signed_in(house)
    if who == "a former operator":
        browser = appointed(house)
        set_up(house, browser)
        with house.transaction() as ctx:
            membership.dismiss(ctx, SHELL, number_of(house, "Opa"), "")
    nothing = browser.open("/nothing-of-the-kind").shown
    for path in PAGES + DOORS:
        page = browser.open(f"/operators{path}")
        assert (page.status, page.shown) == (404, nothing), path
    for path in POSTS:
        assert browser.open(f"/operators{path}", "POST").status == 404, path
    assert "Operators" not in browser.open("/").words


def test_only_operators_are_led_there(house: House) -> None:
    assert "/operators" in appointed(house).open("/").html


def test_whoever_stole_the_cookie_of_a_visit_is_asked_for_more(house: House, operator: Visitor) -> None:
    assert operator.open("/operators/people").url == "/operators/people"
    forget(operator)
    for path in PAGES:
        answer = operator.client.get(f"/operators{path}")
        assert answer.status_code == 303, path
        assert answer.headers["Location"].startswith("/operators/enter?then=/operators"), path
        assert b"opa@" not in answer.data
    before = house.all(select(func.count()).select_from(AuditLogEntry))
    assert operator.client.post("/operators/act/ban", data={"whom": "1", "reason": "because"}).status_code == 303
    assert house.all(select(func.count()).select_from(AuditLogEntry)) == before
    page = operator.open("/operators/second-factor")
    assert "use your second factor first" in page.words
    # Nor can they put another second factor in the place of the one that they do not have.
    form = page.forms[0]
    for wish in ("begin", "confirm", "remove"):
        nonce = operator.open("/operators/second-factor")
        typed = {"do": wish, "nonce": nonce_of(nonce), "code": "123456"}
        assert operator.send(replace(form, action="/operators/second-factor", method="post"), typed).status == 403
    assert house.all(select(Operator.totp_confirmed_at)) != [None]


def nonce_of(page: Page) -> str:
    """Take a nonce for changing the second factor from wherever the page of somebody else would show it."""
    with page.visitor.client.application.test_request_context(headers=cookies(page.visitor)):
        page.visitor.client.application.preprocess_request()
        from pbem.web.request import csrf  # noqa: PLC0415 -- within the request that it speaks of

        return csrf.nonce("second factor")


def cookies(browser: Visitor) -> dict[str, str]:
    kept = browser.client.get_cookie("pbem", domain="127.0.0.1")
    assert kept
    return {"Cookie": f"pbem={kept.value}"}


def test_a_stolen_cookie_makes_and_removes_no_passkey_of_an_operator(named: House) -> None:
    browser = at(appointed(named))
    old = timedelta(minutes=16)
    with named.transaction() as ctx:
        ctx.session.execute(update(LoginSession).values(started_at=LoginSession.started_at - old))
    page = make(browser, Device())
    assert page.status == 403
    assert "You are an operator" in page.words
    assert named.all(select(Passkey.name)) == []


# -- codes ---------------------------------------------------------------------------------------------


def test_codes_are_set_up_and_let_in(house: House) -> None:
    browser = appointed(house)
    page, phone = set_up(house, browser)
    assert (page.url, page.status) == ("/operators", 200)
    assert "Overview" in page.words
    forget(browser)
    page = browser.open("/operators/people?q=op")
    assert page.url.startswith("/operators/enter?then=")
    page = page.press("Use this code", code=f" {phone.codes.generate_otp(0)} ")
    assert page.status == 422
    assert "This code is wrong" in page.words
    code = phone.code()
    page = page.press("Use this code", code=f"{code[:3]} {code[3:]}")
    assert page.url == "/operators/people?q=op"
    forget(browser)
    page = browser.open("/operators").press("Use this code", code=code)
    assert page.status == 422
    said = house.rows(
        select(AuditLogEntry.action, AuditLogEntry.detail)
        .where(AuditLogEntry.action == "enter")
        .order_by(AuditLogEntry.id)
    )
    assert [detail["by"] for _, detail in said] == ["new codes", "code"]


def test_the_picture_is_shown_until_a_code_of_it_was_typed(house: House) -> None:
    browser = appointed(house)
    page = browser.open("/operators").press("Set up codes")
    secret = phone_of(house).codes.secret
    assert secret in page.words
    assert "<svg" in page.html
    page = page.press("Turn on codes", code="12345")
    assert page.status == 422
    page.press("Start over with a new QR code")
    assert phone_of(house).codes.secret != secret
    phone = phone_of(house)
    page = browser.open("/operators/second-factor").press("Turn on codes", code=phone.code())
    assert page.url == "/operators"
    assert phone.codes.secret not in browser.open("/operators/second-factor").html


def test_the_secret_of_codes_lies_sealed_in_its_row_and_outlives_a_change_of_keys(house: House) -> None:
    browser = appointed(house)
    set_up(house, browser)
    secret = phone_of(house).codes.secret
    (sealed,) = house.all(select(Operator.totp_secret))
    assert secret.encode() not in sealed
    (row,) = house.all(select(Operator))
    rotated = house.with_keys(*house.config.secret_keys, "n" * 40)
    assert totp.decrypt_secret(rotated.config, row) == secret
    assert totp.decrypt_secret(house.with_keys("n" * 40).config, row) is None


def test_somebody_who_guesses_codes_is_stopped_soon(house: House) -> None:
    browser = appointed(house)
    _page, phone = set_up(house, browser)
    forget(browser)
    page = browser.open("/operators")
    tries = [page.press("Use this code", code=f"{number:06}").status for number in range(6)]
    assert tries == [422] * 5 + [429]
    assert page.press("Use this code", code=phone.code()).status == 429


def test_a_second_factor_is_first_set_up_soon_after_signing_in(house: House) -> None:
    browser = appointed(house)
    with house.transaction() as ctx:
        ctx.session.execute(update(LoginSession).values(started_at=LoginSession.started_at - timedelta(minutes=16)))
    page = browser.open("/operators")
    assert "Sign out and in again" in page.words
    assert [form.button for form in page.forms] == ["Sign out"]


def test_codes_are_forgotten_only_beside_a_passkey(named: House) -> None:
    browser = at(appointed(named))
    device = Device()
    make(browser, device)
    page = browser.open("/operators/second-factor")
    # Whoever has a passkey shows that first.
    assert "use your second factor first" in page.words
    enter_by_passkey(browser, device)
    set_up_more(named, browser)
    page = browser.open("/operators/second-factor").press("Remove codes")
    assert "Not set up." in page.words
    with named.transaction() as ctx:
        operator = ctx.session.scalars(select(Operator)).one()
        totp.enroll(ctx, operator)
        operator.totp_confirmed_at = ctx.now
        ctx.session.execute(delete(Passkey))
    page = browser.open("/operators/second-factor").press("Remove codes")
    assert page.status == 422
    assert "Create a passkey first" in page.words


def set_up_more(house: House, browser: Visitor) -> None:
    page = browser.open("/operators/second-factor").press("Set up codes")
    page.press("Turn on codes", code=phone_of(house).code())


# -- passkeys ------------------------------------------------------------------------------------------


def enter_by_passkey(browser: Visitor, device: Device) -> Page:
    page = browser.open("/operators")
    asked = options(browser, "/operators/enter/passkey/options")
    assert asked["userVerification"] == "required"
    return page.press("Use a passkey", credential=json.dumps(device.sign(asked)))


def test_a_passkey_lets_in_where_its_owner_was_asked_for_finger_or_code(named: House) -> None:
    browser, device = at(appointed(named)), Device()
    make(browser, device)
    device.flags = PRESENT
    page = enter_by_passkey(browser, device)
    assert page.status == 422
    assert "could not be verified" in page.words
    device.flags = Device.flags
    assert enter_by_passkey(browser, device).url == "/operators"
    assert browser.open("/operators/people").status == 200


def test_the_passkey_of_somebody_else_lets_nobody_in(named: House) -> None:
    browser = at(appointed(named))
    make(browser, Device())
    other = Device(name=b"a passkey of somebody else")
    make(at(signed_in(named, "Bob")), other)
    page = enter_by_passkey(browser, other)
    assert page.status == 422
    assert "belongs to another account" in page.words
    assert browser.open("/operators").url.startswith("/operators/enter")


# -- how long ------------------------------------------------------------------------------------------


def test_an_entry_holds_for_an_hour_without_a_page_and_eight_in_all(house: House) -> None:
    browser = appointed(house)
    set_up(house, browser)
    begun = system_time()
    with house.transaction(begun) as ctx:
        (operator,) = ctx.session.scalars(select(Operator))
        (visit,) = ctx.session.scalars(select(LoginSession.id))
        entry = second_factor.start(ctx, operator, visit)
    for hours in range(1, 10):
        now = begun + timedelta(minutes=59 * hours)
        with house.transaction(now) as ctx:
            again = second_factor.load_cookie(ctx, second_factor.dump_cookie(house.config, entry), operator.id, visit)
        if hours == 9:
            assert again is None
        else:
            assert again
            assert again.seen == now
            entry = again
    with house.transaction(entry.seen + timedelta(hours=1)) as ctx:
        assert (
            second_factor.load_cookie(ctx, second_factor.dump_cookie(house.config, entry), operator.id, visit) is None
        )
    signed = second_factor.dump_cookie(house.config, entry)
    with house.transaction(entry.seen) as ctx:
        assert second_factor.load_cookie(ctx, signed, operator.id, visit)
        assert second_factor.load_cookie(ctx, signed, operator.id, visit + 1) is None
        assert second_factor.load_cookie(ctx, signed, operator.id + 1, visit) is None
        assert second_factor.load_cookie(ctx, signed + "x", operator.id, visit) is None


def test_signing_out_ends_it_also_for_a_copy_of_both_cookies(house: House, operator: Visitor) -> None:
    kept = {name: operator.client.get_cookie(name, domain="127.0.0.1") for name in ("pbem", COOKIE)}
    operator.open("/operators").press("Sign out")
    thief = visitor(house, keeps=True)
    for name, cookie in kept.items():
        assert cookie
        thief.client.set_cookie(name, cookie.value, domain="127.0.0.1")
    assert thief.open("/operators").status == 404


def test_an_operator_leaves_and_stays_signed_in(operator: Visitor) -> None:
    page = operator.open("/operators").press("Leave the operators’ pages")
    assert page.url == "/"
    assert "Opa" in page.words
    assert operator.open("/operators").url.startswith("/operators/enter")


def test_the_pages_speak_english_to_everybody(house: House, operator: Visitor) -> None:
    with house.transaction() as ctx:
        ctx.session.execute(update(Player).values(language="de"))
    page = operator.open("/operators")
    assert page.response.headers["Content-Language"] == "en"
    assert '<html lang="en">' in page.html
    assert "Sign out" in page.words


@pytest.mark.parametrize("path", ["/operators/enter", "/operators/enter/passkey", "/operators/second-factor"])
def test_a_form_from_elsewhere_does_nothing(house: House, operator: Visitor, path: str) -> None:
    answer = operator.client.post(path, data={"do": "remove", "code": "123456"})
    assert answer.status_code == 400
    assert "nothing has been done yet" in answer.get_data(as_text=True)
    assert operator.client.post("/operators/leave").status_code == 303
    assert operator.open("/operators").url == "/operators"
    assert house.all(select(Operator.totp_confirmed_at)) != [None]
