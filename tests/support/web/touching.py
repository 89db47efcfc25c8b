"""Boards that are touched, with a finger or the mouse."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.live_service import until

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page


def place(page: Page, name: str) -> Locator:
    return page.locator(f'#choose [data-place="{name}"]').first


def tap(page: Page, name: str) -> None:
    """Touch a place of the board where it is, and wait for what the page makes of it."""
    node = place(page, name)
    box = node.bounding_box()
    assert box
    # A card in a hand shows its left edge only; a pyramid is widest at its middle.
    inner = node.evaluate("node => node.tagName === 'use'")
    at = (box["x"] + (box["width"] / 2 if inner else 6), box["y"] + (box["height"] * 0.6 if inner else 8))
    page.evaluate("window.clicked = false, addEventListener('click', () => (window.clicked = true), { once: true })")
    page.touchscreen.tap(*at) if page.evaluate("navigator.maxTouchPoints") else page.mouse.click(*at)
    # A tap becomes a click a little later.
    until(lambda: page.evaluate("window.clicked"))
    page.mouse.move(0, 0)
    page.locator("#choose:not([aria-busy])").wait_for()
