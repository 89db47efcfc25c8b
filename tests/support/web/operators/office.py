"""An operator at their pages, and others who are none."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyotp
import pytest

from pbem.db.models import Address
from pbem.play.core.actors import Actor
from pbem.play.operators import membership, second_factor, totp
from tests.support.house import address
from tests.support.web.account.settings import signed_in

if TYPE_CHECKING:
    from tests.support.house import House
    from tests.support.pages import Page, Visitor

SHELL = Actor("shell", "root")
COOKIE = "pbem-operator"


@dataclass
class Phone:
    """The phone of an operator; it shows a code that none was shown before of."""

    codes: pyotp.TOTP
    last: int = 0

    def code(self) -> str:
        self.last = max(self.last + 1, int(time.time()) // totp.STEP_SECONDS)
        return str(self.codes.generate_otp(self.last))


def number_of(house: House, name: str) -> int:
    with house.transaction() as ctx:
        found: int = ctx.session.get_one(Address, address(name)).player_id
        return found


def appointed(house: House, name: str = "Opa") -> Visitor:
    """Somebody who is signed in and was appointed just now."""
    browser = signed_in(house, name)
    with house.transaction() as ctx:
        membership.appoint(ctx, SHELL, number_of(house, name), "", name)
    return browser


def phone_of(house: House, name: str = "Opa") -> Phone:
    with house.transaction() as ctx:
        operator = second_factor.find_operator(ctx, number_of(house, name))
        assert operator
        secret = totp.decrypt_secret(house.config, operator)
    assert secret
    return Phone(pyotp.TOTP(secret))


def set_up(house: House, browser: Visitor, name: str = "Opa") -> tuple[Page, Phone]:
    """Set up codes, as an operator who has none does; they have entered then."""
    page = browser.open("/operators").press("Set up codes")
    phone = phone_of(house, name)
    return page.press("Turn on codes", code=phone.code()), phone


def forget(browser: Visitor) -> None:
    """Forget in a browser that its operator has entered, as where only the other cookie was stolen."""
    browser.client.delete_cookie(COOKIE, domain="127.0.0.1")


@pytest.fixture
def operator(house: House) -> Visitor:
    """An operator who has entered."""
    browser = appointed(house)
    set_up(house, browser)
    return browser
