"""The week in a real browser: a newcomer begins it on a phone, and finds the table when it is over."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from tests.support.clockwork import at
from tests.support.play.weekly.weeks import MONDAY, NEXT_MONDAY, NUMBER, begin_week, enter, play, robot_match, run
from tests.support.web.browser import DESK, PHONE, reader
from tests.support.web.every_page import faults
from tests.support.web.site import pages_at_a_port

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Response

    from tests.support.house import House

DAY = timedelta(days=1)


@pytest.mark.parametrize(("scheme", "size"), [("dark", PHONE), ("light", DESK)], ids=["phone in the dark", "desk"])
def test_a_week_is_played_on_its_pages(browser: Browser, house: House, scheme: str, size: tuple[int, int]) -> None:
    wrong: dict[str, list[str]] = {}
    begin_week(house)
    for name in ("Bob", "Cyd", "Dee"):
        match = enter(house, name)
        if name != "Dee":
            play(house, match, MONDAY + DAY)
    play(house, robot_match(house), MONDAY + DAY)
    with pages_at_a_port(house) as url, reader(browser, url, size, color_scheme=scheme) as context:
        page, sent = context.new_page(), list["Response"]()
        # A bound method of a list takes none of the marks that the driver leaves.
        context.on("response", lambda response: sent.append(response))  # noqa: PLW0108 -- see above

        def look(path: str) -> None:
            sent.clear()
            page.goto(path)
            if found := faults(page, sent):
                wrong[path] = found

        with at(MONDAY + DAY):
            look("/")
            look("/weekly")
            page.get_by_label("Your name").fill("Ann")
            page.get_by_label("Mail address").fill("ann@example.org")
            page.get_by_role("button", name="Play the wheel of the week").click()
            page.wait_for_url("**/m/*")
        run(house, NEXT_MONDAY)
        with at(NEXT_MONDAY):
            look(f"/weekly/{NUMBER}")
            assert page.get_by_role("cell", name="not finished").count() == 2
            look("/weekly/archive")
            look("/lobby")
    assert not wrong, "\n".join(f"{name}: {fault}" for name, found in wrong.items() for fault in found)
