"""One move in a real browser: the least that must hold before anything is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.web.browser import address, page, play_a_piece_at_a_time, unruly

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["address", "page"]


def test_one_click_from_the_first_page_to_a_turn_and_on_to_the_next(page: Page) -> None:
    complaints = unruly(page)
    page.goto("/")
    page.get_by_role("button", name="Play Minimax").click()
    page.get_by_role("heading", name="Your turn in Minimax").wait_for()
    assert page.locator("svg.board, svg[role=img]").first.bounding_box() is not None
    play_a_piece_at_a_time(page)
    page.get_by_role("button", name="Play this move").click()
    page.wait_for_url("**/m/*after=*")
    page.get_by_role("status").get_by_text("You sowed").wait_for()
    page.get_by_role("heading", name="Your turn in Minimax").wait_for()
    assert complaints == []
