"""Every page that links lead to, for a stranger and for somebody signed in: plain to all, small, and whole."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urljoin, urlsplit

import pytest

from pbem.games import GAMES
from tests.support.live_service import token_in, until
from tests.support.signing_in import sign_in
from tests.support.web.browser import DESK, PHONE, reader
from tests.support.web.every_page import WHOLE, faults

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, BrowserContext, Page, Response

    from tests.support.live_service import LiveService

LONG = re.compile(r"(?<=/)[A-Za-z0-9_.-]*\d[A-Za-z0-9_.-]{11,}(?=/|$)")
"""What stands for one of many in an address: a token, a match, something signed."""
NO_PAGE = re.compile(
    r"/(?:static|api|metrics|healthz|readyz|feed|calendar|(?:leagues|ladders|sets|weekly)/(?:[\w-]+/)?feed"
    r"|mailbox/.+/.+/(?:html|raw)|.+\.(?:css|json|png|txt|html)$)"
)
GAME_NAMES = re.compile("|".join(GAMES))


def shape(path: str) -> str:
    """Return what pages of one kind have in common: an address without what it is the page of."""
    split = urlsplit(path)
    bare = GAME_NAMES.sub("GAME", LONG.sub("ONE", split.path))
    asked = sorted({name for name, _ in parse_qsl(split.query)})
    return " ".join([re.sub(r"(?<=/mailbox/)[^/]+", "SOMEBODY", bare), *asked])


def crawl(context: BrowserContext, starts: list[str], samples: int) -> Iterator[tuple[str, Page]]:
    """Follow links from some pages; yields so many pages of each shape, each opened."""
    seen: dict[str, set[str]] = {}
    waiting = [*starts]
    page = context.new_page()
    while waiting:
        path = waiting.pop(0)
        kind = seen.setdefault(shape(path), set())
        if path in kind or len(kind) >= samples:
            continue
        kind.add(path)
        page.goto(path)
        base = page.url
        yield path, page
        for link in page.evaluate(WHOLE)["links"]:
            found = urlsplit(urljoin(base, link))
            if found.netloc == urlsplit(base).netloc and not NO_PAGE.match(found.path):
                waiting.append(found.path + (f"?{found.query}" if found.query else ""))


def turns(live_service: LiveService) -> list[str]:
    """Begin a match of each game; gives the pages that its players' mails lead to."""
    pages: list[str] = []
    for game in GAMES.values():
        names = ("Ida", "Jon", "Kay", "Lea")[: max(game.seats[0], 1)]
        match = live_service.start_match(game.key, {}, *names)
        _, mail, _ = until(partial(live_service.next_turn, match, names))
        invitation = re.search(r"/invitation/\w+", "".join(map(str, live_service.mails_about(names[0], match))))
        token = token_in(mail)
        pages += [f"/m/{token}", f"/m/{token}/mail", f"/matches/{match}", *([invitation[0]] if invitation else [])]
    return pages


@pytest.fixture(scope="module")
def starts(live_service: LiveService) -> list[str]:
    return ["/", "/sign-in", "/nothing-here", *turns(live_service)]


@pytest.mark.parametrize(
    ("known", "scheme", "size", "samples"),
    [(False, "light", PHONE, 1), (True, "dark", PHONE, 2), (True, "light", DESK, 1)],
    ids=["a stranger with a phone", "somebody signed in, in the dark", "somebody signed in, at a desk"],
)
def test_every_page_is_plain_to_all(
    browser: Browser,
    live_service: LiveService,
    starts: list[str],
    *,
    known: bool,
    scheme: str,
    size: tuple[int, int],
    samples: int,
) -> None:
    wrong: dict[str, list[str]] = {}
    looked_at = set()
    with reader(browser, live_service.url, size, color_scheme=scheme) as context:
        if known:
            sign_in(live_service, context.new_page(), "Ida")
        sent: list[Response] = []
        # A bound method of a list takes none of the marks that the driver leaves.
        context.on("response", lambda response: sent.append(response))  # noqa: PLW0108 -- see above
        for path, page in crawl(context, starts, samples):
            looked_at.add(shape(path))
            if found := faults(page, sent):
                wrong[path] = found
            sent.clear()
    assert not wrong, "\n".join(f"{path}: {fault}" for path, found in wrong.items() for fault in found)
    assert len(looked_at) > (25 if known else 15), looked_at
