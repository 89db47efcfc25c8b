"""A ladder in a real browser: entering, challenging and accepting by keyboard on a phone; plain to all."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.db.models import LadderChallenge
from pbem.play.accounts import login_sessions
from pbem.play.core.context import system_time
from pbem.states import ChallengeState
from tests.support.play.events.entering import person
from tests.support.play.ladders.climbing import (
    SIX,
    accept,
    challenge,
    climb,
    end_match,
    found_challenge,
    order,
    play,
    run_steps,
)
from tests.support.web.browser import DESK, PHONE, reader
from tests.support.web.every_page import Inspection
from tests.support.web.site import pages_at_a_port

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext

    from tests.support.house import House

DAY = timedelta(days=1)
PAGE = "/ladders/martian-whist"
LONG_NAME = "Maximiliane von Hohenstein"


def sign_in(house: House, context: BrowserContext, url: str, name: str) -> None:
    with house.transaction() as ctx:
        secret = login_sessions.start(ctx, person(ctx, name), "Firefox/127.0 (X11; Linux)")
    context.add_cookies([{"name": "pbem", "value": secret, "url": url}])


def test_people_enter_challenge_and_accept_on_a_phone_by_keyboard(browser: Browser, local: House) -> None:
    climb(local, SIX[:2], at=system_time() - DAY)
    with pages_at_a_port(local) as url, reader(browser, url, PHONE, color_scheme="light") as context:
        page = context.new_page()
        sign_in(local, context, url, "Zoe")
        page.goto("/ladders")
        page.get_by_role("link", name="Martian Whist").press("Enter")
        page.get_by_role("button", name="Enter, in the last place").press("Enter")
        page.get_by_text("Your place is 3 of 3.").wait_for()
        page.get_by_role("link", name="Challenge Ann").press("Enter")
        page.get_by_role("button", name="Challenge Ann").press("Enter")
        page.get_by_text("You have challenged Ann for place 1.").wait_for()
        context.clear_cookies()
        sign_in(local, context, url, "Ann")
        page.goto(PAGE)
        page.get_by_role("button", name="Accept").press("Enter")
        page.get_by_text("You have accepted.").wait_for()
    (made,) = local.all(select(LadderChallenge))
    assert made.state == ChallengeState.ACCEPTED
    end_match(local, made.match_id or "", system_time(), loser="Ann")
    run_steps(local, system_time())
    assert order(local) == ["Zoe", "Ann", "Bob"]
    assert found_challenge(local, made.id).state == ChallengeState.OVER


@pytest.mark.parametrize(("scheme", "size"), [("dark", PHONE), ("light", DESK)], ids=["phone in the dark", "desk"])
def test_ladders_are_plain_to_all(browser: Browser, local: House, scheme: str, size: tuple[int, int]) -> None:
    now = system_time()
    climb(local, [*SIX, LONG_NAME], at=now - 20 * DAY)
    play(local, "Dan", "Bob", now - 9 * DAY, late="Bob")
    accept(local, challenge(local, LONG_NAME, "Eve", now - DAY), "Eve", now - DAY)
    challenge(local, "Cleo", "Ann", now)
    waiting = challenge(local, "Eve", "Dan", now)
    run_steps(local, now)
    with pages_at_a_port(local) as url, reader(browser, url, size, color_scheme=scheme) as context:
        inspection = Inspection(context, f"ladders {scheme}")
        inspection.look("/ladders")
        inspection.look("/ladders/montauk")
        inspection.look(PAGE)
        sign_in(local, context, url, "Dan")
        inspection.look("/ladders")
        inspection.look(PAGE)
        inspection.look(f"{PAGE}/leave")
        inspection.look(f"{PAGE}/challenge?name=Ann")
        inspection.look(f"{PAGE}/challenge?name=Fred")
    assert inspection.wrong == {}
    assert found_challenge(local, waiting).state == ChallengeState.OFFERED
