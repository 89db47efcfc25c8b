"""A browser without a window, for tests that play as people do."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from tests.support.left_out import left_out

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
QUIETLY = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


# One browser a module and not a session: while its driver runs, so does an event loop in
# this thread, and no test beside it could call `asyncio.run`.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A headless Chromium; tests that need one skip loudly where there is none."""
    program = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if program is None:
        left_out("a browser", "apt install chromium")
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=program, args=list(QUIETLY))
        yield found
        found.close()
