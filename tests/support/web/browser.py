"""What tests of browser share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.live_service import until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, BrowserContext, Locator, Page

    from tests.support.live_service import LiveService

PHONE = (360, 720)
DESK = (1100, 800)


@pytest.fixture(scope="session")
def address(live_service: LiveService) -> str:
    return live_service.url


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    with reader(browser, address) as context:
        yield context.new_page()


def reader(browser: Browser, address: str, size: tuple[int, int] = DESK, **more: object) -> BrowserContext:
    context = browser.new_context(
        base_url=address,
        viewport={"width": size[0], "height": size[1]},
        **more,  # type: ignore[arg-type]
    )
    context.set_default_timeout(180_000)
    return context


def unruly(page: Page) -> list[str]:
    """Collect what the browser complains of: a refused style or script, a fault in one."""
    complaints: list[str] = []
    page.on("console", lambda said: complaints.append(said.text) if said.type in {"error", "warning"} else None)
    page.on("pageerror", lambda fault: complaints.append(str(fault)))
    return complaints


def open_mailbox(page: Page, whose: str, words: str = "") -> Locator:
    """Open a mailbox once it has a mail with some words; the page itself looks for new mail a few times only."""
    mails = page.locator(".mails a", has_text=words)
    until(lambda: page.goto(f"/mailbox/{whose}?wait=1") and mails.count())
    return mails


def narrow(page: Page) -> None:
    page.wait_for_load_state()
    wide, room = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    assert wide <= room, page.url


def play_a_piece_at_a_time(page: Page) -> None:
    while not page.get_by_role("button", name="Play this move").is_visible():
        before = page.url
        page.locator(".pieces a").first.click()
        page.wait_for_function("before => location.href !== before", arg=before)
