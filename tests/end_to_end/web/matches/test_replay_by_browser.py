"""The replay in a real browser: keys, slider, swipe and playing by itself, and all of it without scripts too."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pbem.db.models import Match
from pbem.games import Seat
from pbem.play.matches.match_state import load_match, lock_match, play_move
from tests.support.web.browser import PHONE, reader, unruly
from tests.support.web.site import pages_at_a_port

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

    from tests.support.house import House


MOVES = 6


def finished(house: House, game: str, seats: int, moves: int, options: dict[str, object]) -> str:
    """Play the first legal moves of a match that is over then, whatever the rules say."""
    match_id = house.start_match(game, seats, options)
    with house.transaction() as ctx:
        course = load_match(ctx, lock_match(ctx, match_id))
        for _ in range(moves):
            seat = Seat(course.match.to_move[0])
            course = play_move(ctx, course, seat, next(course.game.moves(course.position, seat)), ctx.now)
        match = ctx.session.get_one(Match, match_id)
        match.state, match.to_move = "over", []
        match.result = {"scores": None, "winners": [1], "ending": "resigned"}
    return match_id


@pytest.fixture
def served(house: House) -> Iterator[str]:
    """The address of a house's pages."""
    with pages_at_a_port(house) as address:
        yield address


def at_step(page: Page, number: int) -> None:
    page.locator(f'#step[data-number="{number}"]').wait_for()
    page.wait_for_function("step => location.search.includes(`step=${step}`)", arg=number)
    assert page.locator(".list [aria-current]").get_attribute("value") == str(number)
    assert f"Step {number} of {MOVES}" in page.locator(".slide label").inner_text()


def test_keys_slider_list_and_autoplay_walk_a_replay(browser: Browser, house: House, served: str) -> None:
    match_id = finished(house, "martian-whist", 2, MOVES, {"sets": 2})
    with reader(browser, served) as context:
        page = context.new_page()
        complaints = unruly(page)
        page.goto(f"/matches/{match_id}/replay?ply=2")
        before = page.locator("figure.board svg").inner_html()
        page.keyboard.press("ArrowRight")
        at_step(page, 3)
        assert page.locator("figure.board svg").inner_html() != before
        page.keyboard.press("End")
        at_step(page, MOVES)
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowLeft")
        at_step(page, MOVES - 1)
        page.keyboard.press("Home")
        at_step(page, 0)
        page.get_by_role("link", name="Next").click()
        at_step(page, 1)
        page.locator("#slider").fill("4")
        at_step(page, 4)
        page.locator(".list button").nth(2).click()
        at_step(page, 2)
        page.get_by_label("Pace").select_option("quick")
        page.get_by_role("heading", level=1).click()
        page.keyboard.press(" ")
        at_step(page, MOVES)
        page.reload()
        at_step(page, MOVES)
        assert complaints == []


@pytest.mark.parametrize("size", [(1000, 800), (360, 740)])
@pytest.mark.parametrize(("game", "seats"), [("amazonian-buffet", 2), ("martian-trickery", 3), ("montauk", 2)])
def test_the_board_is_seen_whole_above_the_controls(
    game: str, seats: int, size: tuple[int, int], browser: Browser, house: House, served: str
) -> None:
    match_id = finished(house, game, seats, MOVES, {})
    with reader(browser, served, size) as context:
        page = context.new_page()
        page.goto(f"/matches/{match_id}/replay?step=3#replay")
        board, controls = (page.locator(place).bounding_box() for place in ("figure.board > svg", ".controls"))
        assert board
        assert controls
        assert board["y"] >= 0
        assert board["y"] + board["height"] <= controls["y"]
        assert controls["y"] + controls["height"] <= size[1]


def test_a_swipe_goes_on_and_back(browser: Browser, house: House, served: str) -> None:
    match_id = finished(house, "martian-whist", 2, MOVES, {"sets": 2})
    swipe = """right => {
      const board = document.querySelector("figure.board svg");
      const at = (type, x) => {
        const touch = new Touch({ identifier: 1, target: board, clientX: x, clientY: 300 });
        const touches = type === "touchstart" ? [touch] : [];
        board.dispatchEvent(new TouchEvent(type, { touches, changedTouches: [touch], bubbles: true }));
      };
      at("touchstart", 180);
      at("touchend", 180 + right);
    }"""
    with reader(browser, served, PHONE, has_touch=True) as context:
        page = context.new_page()
        page.goto(f"/matches/{match_id}/replay?step=2")
        page.evaluate(swipe, -90)
        at_step(page, 3)
        page.evaluate(swipe, 10)
        page.evaluate(swipe, 90)
        at_step(page, 2)


def test_a_replay_is_whole_without_scripts(browser: Browser, house: House, served: str) -> None:
    match_id = finished(house, "martian-whist", 2, MOVES, {"sets": 2})
    with reader(browser, served, PHONE, java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"/matches/{match_id}/replay")
        page.get_by_role("link", name="Next").click()
        assert page.locator("#step").get_attribute("data-number") == "1"
        page.locator(".list button").nth(4).click()
        assert page.locator("#step").get_attribute("data-number") == "4"
        page.get_by_role("button", name="Show it").click()
        assert page.locator("#step").get_attribute("data-number") == "4"
        assert not page.get_by_role("button", name="Autoplay").is_visible()
