"""Lessons by the mouse: every move is made on the board, and only what is not on it below."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from pbem.boards.lessons import lessons, playing
from pbem.games import GAMES
from pbem.play.matches import previews
from tests.support.examples import few
from tests.support.web.browser import address, page, unruly
from tests.support.web.touching import place, tap

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from pbem.boards.lessons import Stand, Step

__all__ = ["address", "page"]
OURS = ("montauk", "amazonian-buffet", "martian-trickery", "martian-whist", "minimax")


@pytest.mark.parametrize("game", [*few(OURS)])
def test_a_whole_lesson_is_played_on_its_boards(page: Page, game: str) -> None:
    complaints = unruly(page)
    page.goto("/learn")
    page.get_by_role("link", name=GAMES[game].name).click()
    page.get_by_role("link", name="Begin the lesson").click()
    steps = lessons()[game].steps
    for number, step in enumerate(steps, 1):
        page.get_by_role("heading", name=step.heading).wait_for()
        for piece in right_pieces(playing.stand(GAMES[game], step), step):
            choose(page, piece)
        page.locator("#bar").get_by_role("button", name="Play this move").click()
        assert page.locator("#verdict").inner_text().startswith("Right.")
        if number < len(steps):
            page.get_by_role("link", name="Next step").click()
    page.get_by_text("You know enough for a first match.").wait_for()
    assert complaints == []


def right_pieces(at: Stand, step: Step, chosen: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return the parts of a right move in the order in which they are chosen; empty if none begins like this."""
    begun = previews.follow_pieces(at, at.seat, chosen)
    if begun.complete:
        return chosen if playing.judge(at, step, begun.text).is_right else ()
    return next(filter(None, (right_pieces(at, step, (*chosen, piece)) for piece in begun.pieces)), ())


def choose(page: Page, piece: str) -> None:
    """Choose a part of a move: on the board if it is there, otherwise by its button in the bar."""
    link = page.locator(f'#choose a[data-choose="{piece}"]').first
    for name in json.loads(link.get_attribute("data-touch") or "[]"):
        place(page, name).evaluate("node => node.scrollIntoView({ block: 'center', behavior: 'instant' })")
        tap(page, name)
    named = page.locator(f'#bar a[data-choose="{piece}"]')
    if named.count() and named.first.is_visible():
        named.first.click()
        page.locator("#choose:not([aria-busy])").wait_for()
