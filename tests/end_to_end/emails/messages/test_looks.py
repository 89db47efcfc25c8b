"""How mails look in a browser: nothing wider than a narrow phone, dark where the reader likes it dark."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.support.house import House, Mail

pytestmark = pytest.mark.drawn

NARROW = {"width": 320, "height": 700}
DESK = {"width": 1100, "height": 800}
BACKGROUND = "getComputedStyle(document.querySelector('.card')).backgroundColor"
INK = "getComputedStyle(document.querySelector('.part')).color"


def page_of(mail: Mail) -> str:
    """Return a mail's HTML with its pictures in it, as a mail program shows it."""
    html = mail.html
    for part in mail.message.walk():
        if part.get_content_type() == "image/png":
            data = base64.b64encode(part.get_content()).decode()
            html = html.replace(f"cid:{part['Content-ID'].strip('<>')}", f"data:image/png;base64,{data}")
    return html


def mails(house: House) -> list[Mail]:
    for game in ("martian-whist", "montauk", "amazonian-buffet"):
        house.start_match(game, 2, mailed=True)
        house.reply(house.last("Ann"), "help")
    house.start_match("minimax", 1, mailed=True)
    return [*house.every_mail, *house.mails("Ann"), *house.mails("Bob")]


def test_no_mail_is_wider_than_a_narrow_phone(house: House, browser: Browser) -> None:
    page = browser.new_page(viewport=NARROW)  # type: ignore[arg-type]
    seen = mails(house)
    assert len(seen) > 10
    for mail in seen:
        page.set_content(page_of(mail))
        assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"], mail.text[:200]
        assert page.evaluate("[...document.images].every(one => one.complete && one.naturalWidth > 0)")
    page.close()


def test_a_mail_is_dark_where_its_reader_likes_it_dark(house: House, browser: Browser) -> None:
    house.start_match("minimax", 1)
    html = page_of(house.last("Ann"))
    colours = []
    for scheme in ("light", "dark"):
        page = browser.new_page(viewport=DESK, color_scheme=scheme)  # type: ignore[arg-type]
        page.set_content(html)
        colours.append((page.evaluate(BACKGROUND), page.evaluate(INK)))
        preheader = page.locator(".preheader")
        assert not preheader.is_visible()
        assert page.locator(".card").bounding_box()["width"] == 640  # type: ignore[index]
        page.close()
    assert colours == [("rgb(255, 255, 255)", "rgb(34, 32, 28)"), ("rgb(38, 36, 31)", "rgb(236, 231, 220)")]


def test_a_mail_without_its_style_sheet_still_has_its_styles(house: House, browser: Browser) -> None:
    # Some mail programs throw away everything in the head.
    house.start_match("minimax", 1)
    html = page_of(house.last("Ann"))
    head = html[html.index("<style>") : html.index("</style>")]
    page = browser.new_page(viewport=DESK)  # type: ignore[arg-type]
    page.set_content(html.replace(head, "<style>"))
    assert page.evaluate(BACKGROUND) == "rgb(255, 255, 255)"
    assert page.locator(".card").bounding_box()["width"] == 640  # type: ignore[index]
    page.close()
