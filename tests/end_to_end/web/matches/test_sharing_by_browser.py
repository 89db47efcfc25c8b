"""A match within somebody else's page, in a real browser."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from werkzeug import Response

from pbem.web import create_app
from tests.support.live_service import free_port
from tests.support.web.browser import reader, unruly
from tests.support.web.every_page import barriers
from tests.support.web.matches.share import end, played
from tests.support.web.site import serving

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

    from tests.support.house import House


@pytest.fixture
def served(house: House) -> Iterator[str]:
    """The pages over a house, at an address of their own."""
    port = free_port()
    config = replace(house.config, base_url=f"http://127.0.0.1:{port}")
    with serving(create_app(config, house.engine), port) as address:
        yield address


def test_a_pasted_frame_shows_the_match_and_goes_through_it(browser: Browser, house: House, served: str) -> None:
    match_id = played(house)
    end(house, match_id)
    with reader(browser, served) as context:
        page = context.new_page()
        complaints = unruly(page)
        page.goto(f"/matches/{match_id}")
        page.get_by_text("Share this match").click()
        pasted = page.locator("pre", has_text="iframe").inner_text()
        other = f"<iframe src='{served}/matches/{match_id}' title='Not here'></iframe>"
        blog = f"<!doctype html><html lang=en><title>A blog</title><h1>Our match</h1>{pasted}{other}"
        with serving(Response(blog, content_type="text/html")) as elsewhere:
            page.goto(elsewhere)
        frame = page.frame_locator("iframe").first
        frame.get_by_role("img").first.wait_for()
        last = house.match(match_id).log_length
        frame.get_by_text(f"{last}/{last}").wait_for()
        frame.get_by_role("link", name="First").click()
        frame.get_by_text(f"0/{last}").wait_for()
        frame.get_by_role("link", name="Next").click()
        frame.get_by_text(f"1/{last}").wait_for()
        inside = next(one for one in page.frames if "/embed" in one.url)
        sizes = inside.evaluate(
            "[document.documentElement.scrollHeight, innerHeight, document.documentElement.scrollWidth, innerWidth]"
        )
        assert sizes[0] <= sizes[1]
        assert sizes[2] <= sizes[3]
        assert context.cookies() == []
        # Our other pages stand in nobody's frame.
        assert [one.url.partition(":")[0] for one in page.frames].count("chrome-error") == 1
        assert any("frame-ancestors" in one for one in complaints)


def test_it_is_plain_to_all_at_any_width_and_in_the_dark(browser: Browser, house: House, served: str) -> None:
    match_id = played(house, "martian-trickery", 3)
    for size, scheme in (((320, 700), "light"), ((700, 900), "dark")):
        with reader(browser, served, size, color_scheme=scheme) as context:
            page = context.new_page()
            page.goto(f"/matches/{match_id}/embed")
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            assert barriers(page) == []
