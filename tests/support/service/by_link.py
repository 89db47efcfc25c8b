"""What tests of by link share."""

from __future__ import annotations

import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from tests.support.pages import PageReader

if TYPE_CHECKING:
    from tests.support.live_service import LiveService

PATIENCE = 600


@dataclass(frozen=True, slots=True)
class Seen:
    """A page as somebody sees it who has a plain browser."""

    running: LiveService
    page: PageReader
    path: str

    @property
    def words(self) -> str:
        return " ".join("".join(self.page.words).split())

    def judged(self) -> Seen:
        """Look again, as a browser does by itself, for as long as the page says that the move is being checked."""
        seen, end = self, time.monotonic() + PATIENCE
        while "Checking your move" in seen.words:
            assert time.monotonic() < end, "never judged"
            time.sleep(0.1)
            seen = opened(self.running, seen.path)
        return seen

    def moves(self) -> list[str]:
        """List the links to a page from which a whole move can be played; one of a single piece is chosen first."""
        links = self.page.links.values()
        return [link for link in links if "?move=" in link] or [link for link in links if "?chosen=" in link]

    def press(self, button: str) -> Seen:
        (form,) = (form for form in self.page.forms if form.button == button)
        return opened(self.running, form.action, urlencode(form.fields).encode())


def opened(live_service: LiveService, path: str, sent: bytes | None = None) -> Seen:
    with urllib.request.urlopen(live_service.url + path.partition("#")[0], sent, timeout=120) as answer:
        page = PageReader()
        page.feed(answer.read().decode())
    return Seen(live_service, page, answer.url.removeprefix(live_service.url))
