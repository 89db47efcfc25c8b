"""The operators' pages in a real browser: plain to all, whole on a phone, in the dark, and by keyboard alone."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pbem.play.operators import membership
from tests.support.web.account.by_browser import DEVICE, context, served, signed_in, unruly
from tests.support.web.browser import DESK, PHONE, reader
from tests.support.web.every_page import faults
from tests.support.web.operators.actions import begun
from tests.support.web.operators.looking import everything
from tests.support.web.operators.office import SHELL, number_of
from tests.support.web.site import pages_at_a_port

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Response

    from tests.support.house import House
    from tests.support.pages import Visitor

__all__ = ["context", "served"]


PICTURES = os.environ.get("TEST_PICTURES", "")
"""A folder to put pictures of these pages into, for whoever wants to look at them."""


@pytest.mark.parametrize(("scheme", "size"), [("dark", PHONE), ("light", DESK)], ids=["phone in the dark", "desk"])
def test_every_page_of_theirs_is_plain_to_all(
    browser: Browser, house: House, operator: Visitor, scheme: str, size: tuple[int, int]
) -> None:
    clocked = begun(house)
    for name in ("Ann", "Bob"):
        house.mails(name)
    match_id = everything(house)
    paths = [
        "", "search?q=ann", "people", "people/2", "matches?show=all", f"matches/{match_id}", f"matches/{clocked}",
        "submissions", "letters", "letters/1", "mails", "mails/1", "bounces", "domains", "suppressed", "unreached",
        "reports", "audit", "second-factor", "enter", f"act/abort?whom={match_id}", f"act/extend?whom={match_id}",
    ]  # fmt: skip
    wrong: dict[str, list[str]] = {}
    with pages_at_a_port(house) as url, reader(browser, url, size, color_scheme=scheme) as context:
        for name in ("pbem", "pbem-operator"):
            cookie = operator.client.get_cookie(name, domain="127.0.0.1")
            assert cookie
            context.add_cookies([{"name": name, "value": cookie.value, "url": url}])
        page, sent = context.new_page(), list["Response"]()
        # A bound method of a list takes none of the marks that the driver leaves.
        context.on("response", lambda response: sent.append(response))  # noqa: PLW0108 -- see above
        for path in paths:
            page.goto(f"/operators/{path}".rstrip("/"))
            if found := faults(page, sent):
                wrong[path] = found
            sent.clear()
            if PICTURES:
                name = f"{size[0]}-{path.replace('/', '-').partition('?')[0] or 'now'}.png"
                page.screenshot(path=str(Path(PICTURES) / name), full_page=True)
        page.goto("/operators")
        page.get_by_label("Search").focus()
        page.keyboard.type("ann")
        page.keyboard.press("Enter")
        page.get_by_role("heading", name="Search results").wait_for()
        page.get_by_role("link", name="Ann").first.focus()
        page.keyboard.press("Enter")
        page.get_by_role("heading", name="Addresses").wait_for()
    assert not wrong, "\n".join(f"{path}: {fault}" for path, found in wrong.items() for fault in found)


def test_an_operator_enters_by_the_passkey_of_their_device(served: House, context: BrowserContext) -> None:
    page = signed_in(served, context)
    with served.transaction() as ctx:
        membership.appoint(ctx, SHELL, number_of(served, "Ann"), "", "Ann")
    complaints = unruly(page)
    device = context.new_cdp_session(page)
    device.send("WebAuthn.enable")
    device.send("WebAuthn.addVirtualAuthenticator", {"options": DEVICE})
    page.goto("/operators")
    page.get_by_role("heading", name="Your second factor").wait_for()
    page.goto("/me/passkeys")
    page.get_by_role("button", name="Create passkey").click()
    page.get_by_text("Never used.").wait_for()
    page.goto("/operators/people")
    page.get_by_role("button", name="Use a passkey").click()
    page.get_by_role("heading", name="Players", exact=True).wait_for()
    assert page.url.endswith("/operators/people")
    assert complaints == []
