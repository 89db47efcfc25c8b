"""What tests of by link share."""

from __future__ import annotations

import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from http.cookiejar import CookieJar
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from tests.support.live_service import token_in
from tests.support.pages import PageReader

if TYPE_CHECKING:
    from tests.support.live_service import LiveService

PATIENCE = 600


@dataclass(frozen=True, slots=True)
class Seen:
    """A page as somebody sees it who has a plain browser, which keeps its cookies."""

    running: LiveService
    page: PageReader
    path: str
    cookies: CookieJar

    @property
    def words(self) -> str:
        return " ".join("".join(self.page.words).split())

    def judged(self) -> Seen:
        """Look again, as a browser does by itself, for as long as the page says that the move is being checked."""
        seen, end = self, time.monotonic() + PATIENCE
        while "Checking your move" in seen.words:
            assert time.monotonic() < end, "never judged"
            time.sleep(0.1)
            seen = opened(self.running, seen.path, cookies=self.cookies)
        return seen

    def moves(self) -> list[str]:
        """List the links to a page from which a whole move can be played; one of a single piece is chosen first."""
        links = self.page.links.values()
        return [link for link in links if "?move=" in link] or [link for link in links if "?chosen=" in link]

    def press(self, button: str) -> Seen:
        forms = [form for form in self.page.forms if form.button == button]
        if not forms and "Preview" in self.page.links:
            # A move that commits something hidden is previewed first.
            return opened(self.running, self.page.links["Preview"], cookies=self.cookies).press(button)
        (form,) = forms
        return opened(self.running, form.action, urlencode(form.fields).encode(), self.cookies)


def opened(live_service: LiveService, path: str, sent: bytes | None = None, cookies: CookieJar | None = None) -> Seen:
    cookies = CookieJar() if cookies is None else cookies
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(cookies))
    with browser.open(live_service.url + path.partition("#")[0], sent, timeout=120) as answer:
        page = PageReader()
        page.feed(answer.read().decode())
    return Seen(live_service, page, answer.url.removeprefix(live_service.url), cookies)


def at_turn(live_service: LiveService, match: str, name: str, played: Seen | None) -> Seen | None:
    """Open somebody's turn by their mail, or once they have played on a page, by that browser: mails wait then."""
    if played is None:
        turn = live_service.turn(name, match)
        return opened(live_service, f"/m/{token_in(turn[0])}") if turn else None
    own = opened(live_service, f"/matches/{match}/own", cookies=played.cookies)
    return own if "Your turn in" in own.words else None
