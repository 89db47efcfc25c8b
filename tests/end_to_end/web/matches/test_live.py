"""Watching a match live in a real browser, against the service as anybody runs it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.live_service import until
from tests.support.web.browser import DESK, PHONE, narrow, reader, unruly

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.support.live_service import LiveService


def move(live_service: LiveService, match_id: str, name: str) -> None:
    turn = until(lambda: live_service.next_turn(match_id, (name,)))
    _who, mail, view = turn
    assert live_service.reply(name, mail, view["moves"][0])


def lead(page: Page) -> str:
    return page.locator("#now .lead").inner_text()


def height(page: Page) -> float:
    """Return where on the screen the place that has the focus is, in pixels."""
    return float(page.evaluate("document.activeElement.getBoundingClientRect().top"))


def test_the_page_goes_on_by_itself_and_says_so_to_screen_readers(browser: Browser, live_service: LiveService) -> None:
    match_id = live_service.start_match("martian-whist", {"sets": 2}, "Wim", "Xia")
    until(lambda: live_service.turn("Wim", match_id))
    # Without motion nothing scrolls on by itself while places are looked at.
    with reader(browser, live_service.url, DESK, reduced_motion="reduce") as context:
        page = context.new_page()
        complaints = unruly(page)
        page.goto(f"/matches/{match_id}")
        assert "It is Wim’s turn" in lead(page)
        assert page.locator("#said").inner_text() == ""
        summary = page.locator("#now details summary").first
        summary.focus()
        summary.press("Enter")
        page.evaluate("scrollTo({ top: 120, behavior: 'instant' })")
        before = height(page)
        move(live_service, match_id, "Wim")
        page.locator("#now .lead", has_text="It is Xia’s turn").wait_for()
        said = page.locator("#said").text_content() or ""
        assert "Wim took" in said
        assert "It is Xia’s turn" in said
        assert page.locator("#said").get_attribute("role") == "status"
        assert page.locator("#now details").first.get_attribute("open") is not None
        assert page.evaluate("document.activeElement.tagName") == "SUMMARY"
        assert abs(height(page) - before) < 1
        assert complaints == []
    with reader(browser, live_service.url, PHONE, java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"/matches/{match_id}")
        page.get_by_role("link", name="Reload this page every 30 seconds").click()
        page.get_by_role("link", name="Stop reloading this page").wait_for()
    with reader(browser, live_service.url, PHONE) as context:
        page = context.new_page()
        page.goto(f"/matches/{match_id}")
        narrow(page)
