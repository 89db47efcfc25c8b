"""Signing in as anybody does: ask for a link, open it in the mail, press the button, say one's name."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from tests.support.live_service import address, text_of, until

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.support.live_service import LiveService

LINK = re.compile(r"/sign-in/\S+")


def sign_in(live_service: LiveService, page: Page, name: str) -> None:
    """Sign somebody in, in the browser of a page, which is then where the sign-in was asked for."""
    before = len(live_service.mails_about(name, "/sign-in/"))
    if "/sign-in" not in page.url:
        page.goto("/sign-in")
    page.get_by_label("Your mail address").fill(address(name))
    page.get_by_role("button", name="Mail me a link").click()
    page.get_by_role("heading", name="Check your mail").wait_for()
    mail = until(partial(newest, live_service, name, before))
    link = LINK.search(text_of(mail))
    assert link is not None
    page.goto(link[0])
    page.get_by_role("button", name="Sign in now").click()
    page.wait_for_url(lambda url: "/sign-in/" not in url)
    if page.url.partition("?")[0].endswith("/welcome"):
        page.get_by_role("textbox").fill(name)
        page.locator("main form button").click()
        page.wait_for_url(lambda url: "/welcome" not in url)


def newest(live_service: LiveService, name: str, known: int) -> object:
    """Find the newest sign-in mail of somebody, where there are more than were known."""
    mails = live_service.mails_about(name, "/sign-in/")
    return mails[-1] if len(mails) > known else None
