"""Signing in with a real browser, on a phone, from the mailbox of the service as anybody runs it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.web.browser import open_mailbox

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.support.live_service import LiveService


LONG = "Bartholomew Featherstonehaugh of Abbey St"
PAGES = ("/", "/sign-in", "/me/keys", "/lobby", "/mine", "/welcome")


def test_somebody_signs_in_from_the_mailbox_and_every_page_fits_their_phone(
    live_service: LiveService, browser: Browser
) -> None:
    size = {"width": 360, "height": 720}
    context = browser.new_context(base_url=live_service.url, viewport=size)  # type: ignore[arg-type]
    context.set_default_timeout(180_000)
    with context:
        page = context.new_page()
        page.goto("/")
        page.get_by_role("navigation", name="Main menu").get_by_role("link", name="Sign in").click()
        page.get_by_label("Your mail address").fill("phone@example.org")
        page.keyboard.press("Enter")
        page.get_by_role("heading", name="Check your mail").wait_for()
        open_mailbox(page, "phone@example.org", "Your sign-in link").first.click()
        # From within a frame that may do nothing itself.
        page.frame_locator("iframe.mail").get_by_role("link", name="Sign in").click()
        page.get_by_text("p…@example.org").wait_for()
        page.get_by_role("button", name="Sign in now").click()
        page.get_by_role("heading", name="Welcome").wait_for()
        page.get_by_label("Your name").fill(LONG[:40])
        page.get_by_role("button", name="Save name").click()
        page.get_by_role("heading", name="My games").wait_for()
        for url in PAGES:
            page.goto(url)
            width = page.evaluate("document.documentElement.scrollWidth")
            assert width <= size["width"], url
            header = page.locator("header.top").bounding_box()
            assert header is not None
            # Two lines at most: the game comes first on a phone.
            assert header["height"] < 100, url
        page.get_by_role("button", name="Sign out").click()
        page.get_by_role("navigation", name="Main menu").get_by_role("link", name="Sign in").wait_for()
