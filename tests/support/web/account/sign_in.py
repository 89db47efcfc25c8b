"""What tests of signing in share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.house import address
from tests.support.web.site import visitor

if TYPE_CHECKING:
    from tests.support.house import House, Mail
    from tests.support.pages import Page, Visitor
ASK, USE, NEW = "Mail me a link", "Sign in now", "Send a new link"


@pytest.fixture
def browser(local: House) -> Visitor:
    """Somebody whose browser keeps cookies."""
    return visitor(local, keeps=True)


def ask(browser: Visitor, name: str, **more: str) -> Page:
    return browser.open("/sign-in").press(ASK, email=address(name), **more)


def link_of(mail: Mail) -> str:
    line = next(line for line in mail.text.splitlines() if "/sign-in/" in line)
    return line.partition(":8000")[2].strip()


def sign_in(house: House, browser: Visitor, name: str, **more: str) -> Page:
    """Go all the way, and give the page that it leads to."""
    ask(browser, name, **more)
    return browser.open(link_of(house.last(name))).press(USE)


def is_in(browser: Visitor, name: str) -> bool:
    return f"You are signed in as {name}." in browser.open("/").words
