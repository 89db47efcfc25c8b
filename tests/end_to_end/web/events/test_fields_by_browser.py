"""Fields and shared deals in a real browser: plain to all, on a phone in the dark as at a desk."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.play.events import fields
from tests.support.play.events.fields import DAY
from tests.support.web.account.dashboard import signed_in
from tests.support.web.browser import DESK, PHONE, reader
from tests.support.web.every_page import Inspection
from tests.support.web.site import pages_at_a_port

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.support.house import House

LONG_NAME = "Maximiliane von Hohenstein"


@pytest.mark.parametrize(("scheme", "size"), [("dark", PHONE), ("light", DESK)], ids=["phone in the dark", "desk"])
def test_fields_are_plain_to_all(browser: Browser, house: House, scheme: str, size: tuple[int, int]) -> None:
    over = fields.begin_field(house, names=("Ann", "Bob", "Cyd", LONG_NAME))
    fields.play_field(house, over)
    running = fields.begin_field(house, at=fields.start(over) + 20 * DAY)
    half_played = fields.sets(house, running)[0]
    fields.play(house, fields.tables(house, half_played)[0], fields.start(running) + DAY)
    fields.run_steps(house, fields.start(running) + DAY)
    coming = fields.newest(house)
    ann = signed_in(house).client.get_cookie("pbem", "127.0.0.1")
    assert ann
    with pages_at_a_port(house) as url, reader(browser, url, size, color_scheme=scheme) as context:
        inspection = Inspection(context, f"fields {scheme}")
        look, page = inspection.look, inspection.page

        def look_at_all() -> None:
            look("/sets")
            for event in (over, running, coming):
                look(f"/fields/{event.id}")
            look(f"/sets/{fields.sets(house, over)[0]}")
            look(f"/sets/{half_played}")

        look_at_all()
        context.add_cookies([{"name": "pbem", "value": ann.value, "url": url}])
        look_at_all()
        page.goto(f"/fields/{coming.id}")
        page.get_by_label("Your name in the tables").fill("Annie")
        page.get_by_role("button", name="Enter", exact=True).press("Enter")
        page.get_by_text("You have entered.").wait_for()
        look(f"/fields/{coming.id}")
        look(f"/fields/{coming.id}/leave")
    assert inspection.wrong == {}
