"""Takes the pictures of README and docs from the running program: `make pictures`.

Starts `pbem up` in a folder of its own, plays some moves as two people would, and photographs the pages and a
mail in a headless Chromium. `--smoke` takes one picture, and keeps none.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from functools import partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.support.live_service import ROOT, LiveService, address, service, until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, ViewportSize

PICTURES = Path(__file__).parent / "pictures"
QUIETLY = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
SIZE: ViewportSize = {"width": 1000, "height": 760}
PHONE: ViewportSize = {"width": 360, "height": 740}


def play(live_service: LiveService, game: str, options: dict[str, object], names: tuple[str, ...], moves: int) -> str:
    """Play the first moves of a match as people who answer their mail; returns whose turn it is then."""
    chance = Random(7)  # noqa: S311 -- any moves will do
    match = live_service.start_match(game, options, *names)
    ply = 0
    for number in range(moves + 1):
        name, mail, view = until(partial(live_service.next_turn, match, names, ply))
        if number < moves:
            live_service.reply(name, mail, chance.choice(view["moves"]))
            ply = view["ply"]
    return str(name)


def photograph(page: Page, name: str, folder: Path = PICTURES) -> None:
    """Take a picture of a whole page, in a window so tall that nothing sticks over the rest of it."""
    width, height = page.evaluate("[innerWidth, document.documentElement.scrollHeight]")
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_timeout(300)
    page.screenshot(path=str(folder / f"{name}.png"), full_page=True)


def mail_and_page(browser: Browser, live_service: LiveService, name: str, picture: str) -> None:
    """Take pictures of somebody's newest mail, by itself and on a phone, and of the page behind its link."""
    with browser.new_context(base_url=live_service.url, viewport=SIZE) as context:
        page = context.new_page()
        page.goto(f"/mailbox/{address(name)}")
        page.locator("main a[href*='/mailbox/']", has_text="turn").first.click()
        photograph(page, f"{picture}-mailbox")
        page.goto(page.url + "/html")
        photograph(page, f"{picture}-mail")
        page.set_viewport_size(PHONE)
        photograph(page, f"{picture}-mail-phone")
        link = page.locator("a[href*='/m/']:not([href$='/why'])").last.get_attribute("href") or ""
        page.goto(link)
        photograph(page, f"{picture}-page-phone")
        page.set_viewport_size(SIZE)
        photograph(page, f"{picture}-page")


def main() -> None:
    """Take all pictures."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--smoke", action="store_true", help="take one picture, and keep none")
    smoke = options.parse_args().smoke
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if program is None:
        needed = "Taking pictures needs a Chromium on this machine."
        if not smoke:
            sys.exit(needed)
        sys.stdout.write(f"left out: {needed}\n")
        return
    PICTURES.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        service(Path(folder) / "data", PYTHONPATH=str(ROOT)) as running,
        sync_playwright() as driver,
    ):
        browser = driver.chromium.launch(executable_path=program, args=QUIETLY)
        with browser.new_context(base_url=running.url, viewport=SIZE) as context:
            page = context.new_page()
            page.goto("/")
            photograph(page, "first-page", Path(folder) if smoke else PICTURES)
        if smoke:
            browser.close()
            return
        whist = play(running, "martian-whist", {"sets": 2}, ("Ann", "Bob"), 31)
        mail_and_page(browser, running, whist, "martian-whist")
        mail_and_page(browser, running, play(running, "minimax", {}, ("Ada",), 0), "minimax")
        browser.close()


if __name__ == "__main__":
    main()
