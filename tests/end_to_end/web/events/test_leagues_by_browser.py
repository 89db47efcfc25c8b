"""Leagues in a real browser: plain to all, on a phone in the dark as at a desk."""

from __future__ import annotations

from datetime import timedelta
from itertools import combinations
from typing import TYPE_CHECKING

import pytest

from pbem.play.core.context import system_time
from tests.support.play.events.entering import BEGUN, entrant, open_event
from tests.support.play.leagues.written_seasons import FIVE, begin, leave, play, season
from tests.support.web.account.dashboard import signed_in
from tests.support.web.browser import DESK, PHONE, reader
from tests.support.web.every_page import Inspection
from tests.support.web.site import pages_at_a_port

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.support.house import House

DAY = timedelta(days=1)
THIRTEEN = tuple(f"Entrant {letter * 4}" for letter in "ABCDEFGHIJKLM")


def play_whist(house: House) -> int:
    """Write down a season of two groups, some of whose matches are over; somebody has left."""
    others = ("Fay", "Gus", "Hal", "Ida", "Maximiliane von Hohenstein")
    event = season(house, FIVE, others, game="martian-whist", season=2)
    for number, (one, other) in enumerate(combinations(FIVE, 2)):
        (play if number % 3 else begin)(house, event, one, other, game="martian-whist")
    for one, other in combinations(others, 2):
        play(house, event, one, other, group=2, game="martian-whist", scores=(4, 4), winners=(1, 2))
    leave(house, event, "Eve", BEGUN + DAY)
    return event


def play_trickery(house: House) -> int:
    """Write down a season of a group of thirteen at tables of three."""
    event = season(house, THIRTEEN, game="martian-trickery")
    for first in range(0, 12, 3):
        role = "friendly" if first else "counts"
        play(house, event, *THIRTEEN[first : first + 3], game="martian-trickery", role=role, scores=(9, 5, 2))
    return event


@pytest.mark.parametrize(("scheme", "size"), [("dark", PHONE), ("light", DESK)], ids=["phone in the dark", "desk"])
def test_leagues_are_plain_to_all(browser: Browser, house: House, scheme: str, size: tuple[int, int]) -> None:
    now = system_time()
    whist, trickery = play_whist(house), play_trickery(house)
    coming = open_event(
        house, "martian-whist", season=3, opens_at=now - DAY, draws_at=now + DAY, starts_at=now + 3 * DAY
    )
    ann = signed_in(house).client.get_cookie("pbem", "127.0.0.1")
    assert ann
    with pages_at_a_port(house) as url, reader(browser, url, size, color_scheme=scheme) as context:
        inspection = Inspection(context, f"leagues {scheme}")
        look, page = inspection.look, inspection.page
        look("/leagues")
        look(f"/leagues/{whist}")
        look(f"/leagues/{trickery}")
        look(f"/leagues/{coming}")
        context.add_cookies([{"name": "pbem", "value": ann.value, "url": url}])
        look("/leagues")
        look(f"/leagues/{coming}")
        page.get_by_label("Your name in the tables").fill("Annie")
        page.get_by_role("button", name="Enter as Ann").press("Enter")
        page.get_by_text("You have entered as Annie.").wait_for()
        look(f"/leagues/{coming}")
        look(f"/leagues/{whist}")
        look(f"/leagues/{whist}/leave")
        look("/mine")
    assert entrant(house, coming, "Ann").name == "Annie"
    assert inspection.wrong == {}
