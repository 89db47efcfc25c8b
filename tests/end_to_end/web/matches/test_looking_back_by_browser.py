"""Looking back in a real browser: plain to all, on a phone in the dark as at a desk."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from tests.support.play.analysis.facts import facts, turning_point
from tests.support.play.analysis.looking_back import looked_back, robot_looks_back
from tests.support.web.browser import DESK, PHONE, reader
from tests.support.web.every_page import faults
from tests.support.web.matches.replay import finished
from tests.support.web.site import pages_at_a_port

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Response

    from tests.support.house import House

__all__ = ["robot_looks_back"]

LONG_AGO = datetime(2026, 1, 1, tzinfo=UTC)
"""When somebody asked, so that their page does not reload itself for a while."""


@pytest.mark.usefixtures("robot_looks_back")
@pytest.mark.parametrize(("scheme", "size"), [("dark", PHONE), ("light", DESK)], ids=["phone in the dark", "desk"])
def test_looking_back_is_plain_to_all(browser: Browser, house: House, scheme: str, size: tuple[int, int]) -> None:
    match_id = finished(house)
    place = f"/m/{house.last('Ann').token}/replay"
    wrong: dict[str, list[str]] = {}
    with pages_at_a_port(house) as url, reader(browser, url, size, color_scheme=scheme) as context:
        page, sent = context.new_page(), list["Response"]()
        # A bound method of a list takes none of the marks that the driver leaves.
        context.on("response", lambda response: sent.append(response))  # noqa: PLW0108 -- see above

        def look(path: str, *folds: str) -> None:
            sent.clear()
            page.goto(path)
            for fold in folds:
                page.get_by_text(fold).click()
            if found := faults(page, sent):
                wrong[path] = found

        look(place)
        assert page.get_by_role("button", name="Look back").is_visible()
        looked_back(house, match_id, asked_at=LONG_AGO, done_at=None, result=None, steps_done=12)
        look(f"{place}/look-back")
        assert page.get_by_text("12 of 40 steps").is_visible()
        looked_back(house, match_id, facts(300, turning_points=[turning_point(2, 1), turning_point(3, 2)]))
        look(place, "The chart in words", "Show the turning points")
        look(f"{place}/look-back/2")
        look(f"{place}/look-back/2?choice=JS")
        assert page.get_by_text("your choice").is_visible()
        page.goto(place)
        page.locator(".chart a rect").nth(1).click()
        page.wait_for_url("**step=*")
    assert not wrong, "\n".join(f"{name}: {fault}" for name, found in wrong.items() for fault in found)
