"""What tests of every page share."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page, Response


SMALL = 60_000
"""A page with its styles and scripts has at most so many bytes, besides its pictures."""
PICTURE = re.compile(rb"<svg.*?</svg>", re.DOTALL)

WHOLE = """() => ({
  wide: document.documentElement.scrollWidth > document.documentElement.clientWidth,
  titled: document.title.length > 0,
  heads: document.querySelectorAll('h1').length,
  links: [...document.querySelectorAll('a[href]')].map(link => link.getAttribute('href')),
  lost: [...document.querySelectorAll('input:not([type=hidden]), select, textarea')]
    .filter(field => !field.labels.length && !field.getAttribute('aria-label')).map(field => field.outerHTML),
})"""


def faults(page: Page, sent: list[Response]) -> list[str]:
    """List what is wrong with a page as it was opened."""
    found = page.evaluate(WHOLE)
    weight = sum(len(PICTURE.sub(b"", each.body())) for each in sent if is_text(each))
    wrong = {
        "is wider than the window": found["wide"],
        f"weighs {weight} bytes": weight > SMALL,
        "has no title": not found["titled"],
        f"has {found['heads']} headings of the first order": found["heads"] != 1,
        f"has fields without a label: {found['lost']}": bool(found["lost"]),
    }
    return [sentence for sentence, is_so in wrong.items() if is_so] + barriers(page)


class Inspection:
    """Opens pages in a tab of its own, unfolds what is folded there, and keeps what is wrong with each by its path.

    Where the environment names a folder as PAGE_PICTURES, a picture of each page is kept there, to look at it.
    """

    def __init__(self, context: BrowserContext, name: str = "") -> None:
        self.page, self.wrong, self._name = context.new_page(), dict[str, list[str]](), name
        self._sent: list[Response] = []
        # A bound method of a list takes none of the marks that the driver leaves.
        context.on("response", lambda response: self._sent.append(response))  # noqa: PLW0108 -- see above

    def look(self, path: str) -> None:
        """Open a page and inspect it."""
        self._sent.clear()
        self.page.goto(path)
        for fold in self.page.locator("main summary").all():
            fold.click()
        if found := faults(self.page, self._sent):
            self.wrong[path] = found
        self.keep_picture(path)

    def keep_picture(self, path: str) -> None:
        """Keep a picture of the page as it is, if a folder is named."""
        if folder := os.environ.get("PAGE_PICTURES"):
            name = f"{self._name} {path}".replace("/", "_")
            self.page.screenshot(path=str(Path(folder, f"{name}.png")), full_page=True)


def is_text(response: Response) -> bool:
    kinds = ("text/html", "text/css", "text/javascript", "application/javascript")
    kind = response.headers.get("content-type", "")
    return response.ok and kind.startswith(kinds) and is_of_page(response)


def is_of_page(response: Response) -> bool:
    """Return whether a response is part of the page itself: not of a mail in its frame, nor of its service worker."""
    return response.request.service_worker is None and response.frame.parent_frame is None


def barriers(page: Page) -> list[str]:
    """List what keeps somebody from using a page, as axe finds it."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    found = axe.run(page, options={"resultTypes": ["violations"]}).response["violations"]
    return [f"{one['id']}: {one['help']}: {[node['html'][:120] for node in one['nodes'][:3]]}" for one in found]
