"""The board as input: a move is made by touching it, at a desk and on a phone."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING

import pytest
from PIL import Image, ImageChops

from pbem.games import GAMES
from tests.support.live_service import token_in, until
from tests.support.web.browser import address, reader, unruly
from tests.support.web.touching import place, tap

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

    from tests.support.live_service import LiveService

__all__ = ["address"]

DESK = {"size": (1000, 800)}
MOST_BY_SMOOTHING = 24
"""Levels of 256 by which a pixel may differ."""
MARGIN = 8
"""Pixels around a picture in which nothing is drawn."""
PHONE = {"size": (360, 740), "has_touch": True, "is_mobile": True}
OPTIONS: dict[str, dict[str, object]] = {
    "amazonian-buffet": {},
    "martian-whist": {"sets": 2},
    "martian-trickery": {"hands": 1},
    "minimax": {},
    "montauk": {"rounds": 1},
}


@pytest.fixture(params=[DESK, PHONE], ids=["desk", "phone"])
def page(request: pytest.FixtureRequest, browser: Browser, address: str) -> Iterator[Page]:
    with reader(browser, address, **request.param) as context:
        yield context.new_page()


def begin_turn(page: Page, service: LiveService, game: str) -> None:
    """Open the page of the first turn of a new match."""
    names = tuple(f"Toucher{seat}" for seat in range(1, GAMES[game].seats[0] + 1))
    match = service.start_match(game, OPTIONS[game], *names)
    mail, _view = until(lambda: next((turn for name in names if (turn := service.turn(name, match))), None))
    page.goto(f"/m/{token_in(mail)}")
    page.wait_for_load_state()


def touch(page: Page, name: str) -> None:
    """Touch a place of the board where no other covers it, and wait for what the page makes of it."""
    place(page, name).evaluate("node => node.scrollIntoView({ block: 'center', behavior: 'instant' })")
    before = page.evaluate("scrollY")
    tap(page, name)
    assert abs(page.evaluate("scrollY") - before) <= 1, "the page scrolled"
    assert_board_and_bar_are_in_view(page, name)


def assert_board_and_bar_are_in_view(page: Page, touched: str) -> None:
    high = page.evaluate("innerHeight")
    board, bar = page.locator("#choose svg.board").bounding_box(), page.locator("#bar").bounding_box()
    assert board
    assert bar
    assert 0 <= bar["y"] < bar["y"] + bar["height"] <= high + 1
    assert board["y"] < bar["y"]
    assert bar["height"] < high / 2
    left = place(page, touched).bounding_box() if place(page, touched).count() else None
    assert left is None or 0 <= left["y"] + left["height"] / 2 <= high


def assert_whole_board_is_above_the_bar(page: Page) -> None:
    board, bar = page.locator("#choose svg.board").bounding_box(), page.locator("#bar").bounding_box()
    assert board
    assert bar
    assert board["y"] >= -MARGIN
    assert board["y"] + board["height"] <= bar["y"] + MARGIN
    assert bar["y"] + bar["height"] <= page.evaluate("innerHeight") + 1


def pixels(page: Page, name: str) -> Image.Image:
    """Return what is seen of a place, with the frame around it."""
    box = place(page, name).bounding_box()
    assert box
    clip = {"x": box["x"] - 4, "y": box["y"] - 4, "width": box["width"] + 8, "height": box["height"] + 8}
    taken = page.screenshot(clip=clip, animations="disabled")  # type: ignore[arg-type]
    return Image.open(io.BytesIO(taken)).convert("L")


def look_alike(one: Image.Image, other: Image.Image) -> bool:
    """Return whether two screenshots show the same; a browser smooths edges a little differently each time."""
    return max(ImageChops.difference(one, other).tobytes()) < MOST_BY_SMOOTHING


def offered(page: Page) -> list[list[str]]:
    """Return the places of each part of a move that may follow."""
    found = page.locator("#choose a[data-touch]").evaluate_all(
        "links => links.map(link => JSON.parse(link.dataset.touch))"
    )
    return [[str(name) for name in places] for places in found]


@pytest.mark.parametrize("game", sorted(OPTIONS))
def test_a_touch_marks_a_piece_and_a_second_one_lets_go(page: Page, live_service: LiveService, game: str) -> None:
    begin_turn(page, live_service, game)
    first = offered(page)[0][0]
    place(page, first).evaluate("node => node.scrollIntoView({ block: 'center', behavior: 'instant' })")
    untouched, place_before = pixels(page, first), page.evaluate("scrollY")
    touch(page, first)
    assert page.evaluate("scrollY") == place_before
    assert not look_alike(pixels(page, first), untouched)
    touch(page, first)
    assert look_alike(pixels(page, first), untouched)


@pytest.mark.parametrize("game", sorted(OPTIONS))
def test_the_whole_board_is_seen_from_the_first_look_to_the_last_touch(
    page: Page, live_service: LiveService, game: str
) -> None:
    begin_turn(page, live_service, game)
    place_before = page.evaluate("scrollY")
    assert_whole_board_is_above_the_bar(page)
    preview = page.locator("#bar").get_by_role("link", name="Preview")
    while not preview.is_visible():
        for name in offered(page)[0]:
            tap(page, name)
        assert_whole_board_is_above_the_bar(page)
    assert page.evaluate("scrollY") == place_before


@pytest.mark.parametrize("game", sorted(OPTIONS))
def test_a_whole_move_is_made_by_touches_alone(page: Page, live_service: LiveService, game: str) -> None:
    complaints = unruly(page)
    begin_turn(page, live_service, game)
    play = page.get_by_role("button", name="Play this move")
    preview = page.locator("#bar").get_by_role("link", name="Preview")
    while not preview.is_visible():
        for name in offered(page)[0]:
            touch(page, name)
    assert page.locator("#bar").get_by_text("Your move").is_visible()
    if not play.is_visible():
        # What it commits cannot be taken back, so it is looked at first.
        preview.click()
    play.click()
    page.get_by_role("heading", name=re.compile("It is|over|Your turn")).wait_for()
    assert complaints == []


def test_a_pawn_and_then_its_square_move_this_pawn(page: Page, live_service: LiveService) -> None:
    begin_turn(page, live_service, "amazonian-buffet")
    slides = offered(page)
    pawns = sorted({start for start, _end in slides})
    end = next(end for start, end in slides if start == pawns[1])
    touch(page, pawns[0])
    touch(page, pawns[1])
    touch(page, end)
    assert page.locator("#bar .sofar").inner_text().endswith(f"{pawns[1]}-{end}")
    touch(page, end)
    assert page.locator("#bar .sofar").count() == 0


def test_another_piece_takes_the_place_of_the_one_chosen(page: Page, live_service: LiveService) -> None:
    begin_turn(page, live_service, "martian-whist")
    (first,), (other,) = offered(page)[:2]
    touch(page, first)
    touch(page, other)
    assert page.locator("#bar .sofar").inner_text().endswith(other)
    page.go_back()
    page.locator("#bar:not(:has(.sofar))").wait_for()
