"""The page of keys for programs: made, named, listed and ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.db.models import ApiKey
from pbem.play.accounts import api_keys
from tests.support.web.account.api_keys import KEY, MAKE, call, client, closed, key_for, make_key
from tests.support.web.account.sign_in import browser, sign_in
from tests.support.web.api.matches import got, refused

if TYPE_CHECKING:
    from flask.testing import FlaskClient

    from tests.support.house import House
    from tests.support.pages import Visitor

__all__ = ["browser", "client", "closed"]


def test_a_key_is_made_named_listed_used_and_ended(closed: House, browser: Visitor, client: FlaskClient) -> None:
    sign_in(closed, browser, "Ann")
    page = browser.open("/me/keys")
    assert page.form(MAKE).fields["scope"] == "read"
    assert page.html.count("checked") == 1
    page = page.press(MAKE, name="  My   robot ", scope="read")
    (secret,) = set(KEY.findall(page.html))
    assert secret not in browser.open("/me/keys").html
    page = browser.open("/me/keys")
    assert "My robot" in page.words
    assert "Never used." in page.words
    assert got(call(client, secret, "/api/me"))["scopes"] == ["read"]
    assert "Last used" in browser.open("/me/keys").words
    page = page.press("Revoke: My robot")
    assert "The key has been revoked" in page.words
    assert "My robot" not in page.words
    assert "revoked" in refused(call(client, secret, "/api/me"), 401)


def test_no_row_holds_a_key_in_clear(closed: House) -> None:
    secret = key_for(closed, "Ann", "read")
    (row,) = closed.all(select(ApiKey))
    assert secret not in repr(vars(row))
    assert secret.removeprefix("pbem_") not in repr(vars(row))
    assert len(row.hash) == 32


@pytest.mark.parametrize(
    ("name", "scopes", "sentence"),
    [("", ["read"], "Enter a name for the key"), ("\0 ", ["read"], "Enter a name for the key"),
     ("x", [], "at least one permission"), ("x", ["all"], "at least one permission")],
)  # fmt: skip
def test_a_key_without_a_name_or_a_scope_is_not_made(
    closed: House, browser: Visitor, name: str, scopes: list[str], sentence: str
) -> None:
    sign_in(closed, browser, "Ann")
    form = browser.open("/me/keys").form(MAKE)
    data = {"nonce": form.fields["nonce"], "name": name, "scope": scopes}
    answer = browser.client.post("/me/keys", data=data)
    assert answer.status_code == 422
    assert sentence in answer.text
    assert not closed.all(select(ApiKey))


def test_there_may_be_twenty_keys(closed: House, browser: Visitor) -> None:
    sign_in(closed, browser, "Ann")
    for _ in range(api_keys.MAX_KEYS):
        make_key(browser, "read")
    page = browser.open("/me/keys")
    answer = page.visitor.send(page.form(MAKE), {**page.form(MAKE).fields, "name": "More", "scope": "read"})
    assert answer.status == 422
    assert "You already have 20 keys" in answer.words
    assert len(closed.all(select(ApiKey))) == 20


def test_the_forms_are_our_own(closed: House, browser: Visitor) -> None:
    assert browser.open("/me/keys").url.startswith("/sign-in")
    for path in ("/me/keys", "/me/keys/end"):
        assert browser.client.post(path, data={}).location.startswith("/sign-in")
    sign_in(closed, browser, "Ann")
    page = browser.open("/me/keys")
    assert page.press(MAKE, name="x", scope="read", nonce="forged").status == 400
    assert not closed.all(select(ApiKey))
    make_key(browser, "read")
    page = browser.open("/me/keys")
    assert page.press("Revoke: My program", nonce="forged").status == 400
    assert page.press("Revoke: My program", key="x").status == 400
    assert page.press("Revoke: My program", key="9" * 30).status == 400
    assert page.press("Revoke: My program", key="9" * 18).status == 200
    assert closed.all(select(ApiKey.revoked_at)) == [None]


def test_nobody_ends_anothers_key(closed: House, browser: Visitor, client: FlaskClient) -> None:
    secret = key_for(closed, "Ann", "read")
    (number,) = closed.all(select(ApiKey.id))
    sign_in(closed, browser, "Bob")
    make_key(browser, "read")
    browser.open("/me/keys").press("Revoke: My program", key=str(number))
    assert got(call(client, secret, "/api/me"))["name"] == "Ann"
