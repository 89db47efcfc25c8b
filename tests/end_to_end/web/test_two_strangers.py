"""Two people who do not know each other find a table in the lobby and play until one resigns, on pages alone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.support.signing_in import sign_in
from tests.support.web.browser import DESK, PHONE, reader, unruly

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.support.live_service import LiveService


MOVES = 6
YOUR_TURN = re.compile("^Your turn")


def open_table(page: Page) -> None:
    page.goto("/lobby")
    page.get_by_role("link", name="Martian Whist").click()
    page.locator("input[name=sits-2][value=open]").check()
    page.get_by_label("The short game").check()
    page.get_by_role("button", name="Start the match").click()
    page.get_by_text("The table is in the lobby.").wait_for()


def join(live_service: LiveService, page: Page) -> None:
    page.goto("/lobby")
    page.get_by_role("link", name="Look at Quin’s table of Martian Whist").click()
    page.get_by_role("link", name="Join", exact=True).click()
    # The link in the mail leads back to the table.
    sign_in(live_service, page, "Rhea")
    page.get_by_role("button", name="Join as Rhea").click()
    page.get_by_role("heading", name="You have accepted").wait_for()


def at_turn(page: Page) -> bool:
    """Open the page of somebody's turn; returns whether there is one."""
    page.goto("/mine")
    turn = page.get_by_role("link", name=YOUR_TURN)
    if not turn.count():
        return False
    turn.first.click()
    return True


def move(page: Page) -> bool:
    """Play the first move that looks good, if it is somebody's turn."""
    if not at_turn(page):
        return False
    page.get_by_text("Need an idea?").click()
    page.locator(".moves button.main").first.click()
    page.get_by_role("heading", name="turn").get_by_text("It is").wait_for()
    return True


def resign(page: Page) -> bool:
    """Resign, if it is somebody's turn."""
    if not at_turn(page):
        return False
    page.get_by_role("link", name="Resign", exact=True).click()
    page.get_by_role("button", name="Yes, resign").click()
    page.get_by_role("heading", name="over by resignation").wait_for()
    return True


def test_two_strangers_meet_in_the_lobby_and_play_until_one_resigns(
    browser: Browser, live_service: LiveService
) -> None:
    with reader(browser, live_service.url, DESK) as at_a_desk, reader(browser, live_service.url, PHONE) as on_a_phone:
        una, vic = at_a_desk.new_page(), on_a_phone.new_page()
        complaints = unruly(una), unruly(vic)
        sign_in(live_service, una, "Quin")
        open_table(una)
        join(live_service, vic)
        moves = 0
        while moves < MOVES:
            made = move(una) + move(vic)
            assert made
            moves += made
        assert resign(una) or resign(vic)
        for page in (una, vic):
            page.goto("/mine")
            page.get_by_role("heading", name="Finished").wait_for()
            page.get_by_role("link", name="Martian Whist with").click()
            page.get_by_text("The match is over").first.wait_for()
        assert complaints == ([], [])
