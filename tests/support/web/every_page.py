"""What tests of every page share."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page, Response


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
