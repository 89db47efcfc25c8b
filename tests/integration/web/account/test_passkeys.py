"""Passkeys: made and used as a device would, and refused in every other way."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from pbem.config import DEFAULT_RATE_LIMITS
from pbem.db.models import LoginSession, Passkey
from pbem.play.accounts import passkeys
from pbem.play.accounts.passkeys import Answer
from pbem.play.core.errors import Refused
from pbem.play.players import registry
from tests.support.examples import examples
from tests.support.house import address
from tests.support.web.account.passkeys import HOST, Device, at, coded, make, named, options
from tests.support.web.account.settings import signed_in
from tests.support.web.site import visitor

if TYPE_CHECKING:
    from tests.support.house import House
    from tests.support.pages import Page, Visitor

__all__ = ["named"]
UNSOUND = "could not be verified"


@pytest.fixture
def ann(named: House) -> Visitor:
    return at(signed_in(named))


def use(browser: Visitor, device: Device, **typed: str) -> Page:
    """Sign in with a passkey."""
    page = browser.open("/sign-in")
    credential = device.sign(options(browser, "/sign-in/passkey/options"))
    return page.press("Sign in with a passkey", **({"credential": json.dumps(credential)} | typed))


def newcomer(named: House) -> Visitor:
    return at(visitor(named, keeps=True))


def is_in(browser: Visitor) -> bool:
    return browser.open("/me").url == "/me"


def kept(house: House) -> list[str]:
    return house.all(select(Passkey.name).order_by(Passkey.created_at))


# -- making and using ----------------------------------------------------------------------------------


def test_a_passkey_is_made_and_signs_in(named: House, ann: Visitor) -> None:
    device = Device()
    page = make(ann, device, name=" My   phone ")
    assert "My phone" in page.words
    assert "Never used." in page.words
    browser = newcomer(named)
    page = use(browser, device, then="/me/look")
    assert page.url == "/me/look"
    assert is_in(browser)
    assert "Last used" in ann.open("/me/passkeys").words
    assert named.all(select(Passkey.sign_count)) == [1]


def test_what_a_browser_is_asked_for(named: House, ann: Visitor) -> None:
    device = Device()
    first = options(ann, "/me/passkeys/options")
    assert first["rp"]["id"] == HOST
    assert first["authenticatorSelection"]["residentKey"] == "required"
    assert first["authenticatorSelection"]["userVerification"] == "preferred"
    assert first["excludeCredentials"] == []
    make(ann, device)
    second = options(ann, "/me/passkeys/options")
    assert [one["id"] for one in second["excludeCredentials"]] == [coded(device.name)]
    assert second["challenge"] != first["challenge"]
    asked = options(newcomer(named), "/sign-in/passkey/options")
    assert (asked["rpId"], asked["userVerification"], asked["allowCredentials"]) == (HOST, "preferred", [])


def test_a_passkey_without_a_name_is_called_after_its_browser(named: House, ann: Visitor) -> None:
    ann.client.environ_base["HTTP_USER_AGENT"] = "Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Firefox/127.0"
    make(ann, Device())
    assert kept(named) == ["Firefox on Linux"]


def test_signing_in_again_ends_the_visit_before(named: House, ann: Visitor) -> None:
    device = Device()
    make(ann, device)
    use(ann, device)
    assert len(named.all(select(LoginSession).where(LoginSession.ended_at.is_(None)))) == 1
    assert is_in(ann)


def test_a_device_that_counts_nothing_signs_in_again_and_again(named: House, ann: Visitor) -> None:
    device = Device()
    make(ann, device)
    for _ in range(2):
        device.signs = -1
        assert is_in_after(named, device)


def is_in_after(named: House, device: Device) -> bool:
    browser = newcomer(named)
    use(browser, device)
    return is_in(browser)


def test_a_removed_passkey_signs_nobody_in(named: House, ann: Visitor) -> None:
    device = Device()
    make(ann, device, name="Phone")
    bob = at(signed_in(named, "Bob"))
    form = bob.open("/me/passkeys").form("Create passkey")
    bob.send(form, form.fields | {"do": "remove", "passkey": device.name.hex()})
    assert kept(named) == ["Phone"]
    page = ann.open("/me/passkeys").press("Remove Phone")
    assert "Saved." in page.words
    assert kept(named) == []
    page = use(newcomer(named), device)
    assert page.status == 422
    assert "unknown or was removed" in page.words


# -- refusals ------------------------------------------------------------------------------------------


def lies(**more: Any) -> Any:
    def tell(device: Device) -> None:
        for name, value in more.items():
            setattr(device, name, value)

    return tell


LIES = {
    "another host": lies(host="evil.example.org"),
    "another origin": lies(origin="https://evil.example.org"),
    "nobody there": lies(flags=0),
    "another key": lambda device: setattr(device, "key", Device().key),
    "another's handle": lies(handle=b"player 0"),
    "a count that goes back": lies(signs=2),
}


@pytest.mark.parametrize("lie", LIES)
def test_what_does_not_fit_signs_nobody_in(named: House, ann: Visitor, lie: str) -> None:
    device = Device()
    make(ann, device)
    device.signs = 4
    assert is_in_after(named, device)
    LIES[lie](device)
    browser = newcomer(named)
    page = use(browser, device)
    assert page.status == 422
    assert UNSOUND in page.words
    assert not is_in(browser)


@pytest.mark.parametrize("lie", ["another host", "another origin", "nobody there"])
def test_what_does_not_fit_is_not_kept(named: House, ann: Visitor, lie: str) -> None:
    device = Device()
    LIES[lie](device)
    page = make(ann, device)
    assert page.status == 422
    assert UNSOUND in page.words
    assert kept(named) == []


def test_a_challenge_serves_once_and_its_own_browser_only(named: House, ann: Visitor) -> None:
    device = Device()
    make(ann, device)
    browser = newcomer(named)
    form = browser.open("/sign-in").form("Sign in with a passkey")
    asked = options(browser, "/sign-in/passkey/options")
    cookie = browser.client.get_cookie("pbem-passkey", domain=HOST)
    assert cookie
    assert cookie.http_only
    assert cookie.secure
    assert cookie.same_site == "Strict"
    typed = form.fields | {"credential": json.dumps(device.sign(asked))}
    other = newcomer(named)
    assert "started in another browser" in other.send(form, typed).words
    options(other, "/sign-in/passkey/options")
    assert UNSOUND in other.send(form, typed).words
    browser.send(form, typed)
    assert is_in(browser)
    device.signs += 1
    other.client.set_cookie("pbem-passkey", cookie.value, domain=HOST)
    again = other.send(form, form.fields | {"credential": json.dumps(device.sign(asked))})
    assert UNSOUND in again.words
    assert not is_in(other)


def test_a_challenge_for_making_does_not_sign_in(ann: Visitor) -> None:
    device = Device()
    make(ann, device)
    form = ann.open("/sign-in").form("Sign in with a passkey")
    signed = device.sign(options(ann, "/me/passkeys/options"))
    assert "started in another browser" in ann.send(form, form.fields | {"credential": json.dumps(signed)}).words


@pytest.mark.parametrize("typed", ["", "x", "[]", "null", "{}", '{"id": 3}', '{"id": "ö"}', "[" * 9_000])
def test_what_is_no_credential_is_refused(named: House, ann: Visitor, typed: str) -> None:
    assert use(newcomer(named), Device(), credential=typed).status == 422
    page = ann.open("/me/passkeys")
    options(ann, "/me/passkeys/options")
    assert page.press("Create passkey", credential=typed).status == 422
    assert kept(named) == []


def test_a_form_from_elsewhere_signs_nobody_in(named: House, ann: Visitor) -> None:
    device = Device()
    make(ann, device)
    browser = newcomer(named)
    page = use(browser, device, nonce="forged")
    assert page.status == 400
    assert not is_in(browser)


def test_a_known_passkey_is_not_made_again_nor_too_many(
    named: House, ann: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(ann, Device(name=b"one"))
    assert UNSOUND in make(at(signed_in(named, "Bob")), Device(name=b"one")).words
    monkeypatch.setattr(passkeys, "MAX_PASSKEYS", 1)
    assert "You already have 1 passkeys" in make(ann, Device(name=b"two")).words
    assert len(kept(named)) == 1


def test_nobody_is_asked_to_make_one_who_is_not_signed_in(named: House) -> None:
    assert newcomer(named).client.post("/me/passkeys/options").status_code == 403


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=examples(150), deadline=None)
@given(
    path=st.sampled_from(["id", "rawId", "type", "clientDataJSON", "authenticatorData", "signature", "userHandle"]),
    value=st.none() | st.integers() | st.text(max_size=40) | st.binary(max_size=80).map(coded) | st.lists(st.text()),
)
def test_no_broken_answer_breaks_more_than_itself(named: House, path: str, value: Any) -> None:
    device = Device()
    with named.transaction() as ctx:
        player = registry.get_or_create(ctx, {address("Ann"): "Ann"})[address("Ann")]
        if not ctx.session.get(Passkey, device.name):
            made = device.make(passkeys.registration_options(ctx, player, b"m"))
            passkeys.register(ctx, player, Answer(made, b"m"), "")
        device.handle = b"player %d" % player.id
    credential = device.sign({"challenge": coded(b"c")})
    place = credential["response"] if path in credential["response"] else credential
    place[path] = value
    # A device need not say whose its passkey is; so then it is the challenge that is wrong.
    with pytest.raises(Refused), named.transaction() as ctx:
        passkeys.authenticate(ctx, Answer(credential, b"d" if path == "userHandle" else b"c"))


def test_a_flood_of_questions_is_slowed(named: House) -> None:
    limited = replace(named, config=replace(named.config, limits=DEFAULT_RATE_LIMITS))
    browser = newcomer(limited)
    asked = [browser.client.post("/sign-in/passkey/options") for _ in range(61)]
    assert [answer.status_code for answer in asked] == [200] * 60 + [429]
    assert int(asked[-1].headers["Retry-After"]) > 0


# -- where they can be used ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "possible"),
    [
        ("https://games.example.org", True),
        ("http://games.example.org", False),
        ("http://localhost:8000", True),
        ("http://127.0.0.1:8000", False),
        ("https://[::1]", False),
    ],
)
def test_where_browsers_allow_them(local: House, url: str, *, possible: bool) -> None:
    assert passkeys.is_available(replace(local.config, base_url=url)) is possible


def test_where_they_cannot_be_used_they_are_not_offered(local: House) -> None:
    ann = signed_in(local)
    assert "/me/passkeys" not in ann.open("/me").html
    assert "Passkeys work only if" in ann.open("/me/passkeys").words
    assert "passkey" not in visitor(local).open("/sign-in").html


def test_where_they_can_be_used_the_account_leads_there(ann: Visitor) -> None:
    assert "/me/passkeys" in ann.open("/me").html
