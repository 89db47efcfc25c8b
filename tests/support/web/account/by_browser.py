"""What tests of browser account share."""

from __future__ import annotations

import socket
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pbem.play.accounts import login_sessions
from pbem.play.players import registry
from pbem.web import create_app
from tests.support.house import address
from tests.support.web.site import serving

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, BrowserContext, Page

    from tests.support.house import House

PHONE = {"width": 360, "height": 720}
DEVICE = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


@pytest.fixture
def served(local: House) -> Iterator[House]:
    """The house at an address that a browser can open, under a name: passkeys need one."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    house = replace(local, config=replace(local.config, base_url=f"http://localhost:{port}"))
    with serving(create_app(house.config, house.engine), port):
        yield house


@pytest.fixture
def context(browser: Browser, served: House) -> Iterator[BrowserContext]:
    """A browser on a phone."""
    with browser.new_context(base_url=served.config.base_url, viewport=PHONE) as context:  # type: ignore[arg-type]
        context.set_default_timeout(180_000)
        yield context


def signed_in(house: House, context: BrowserContext) -> Page:
    with house.transaction() as ctx:
        player = registry.get_or_create(ctx, {address("Ann"): "Ann"})[address("Ann")]
        registry.mark_verified(ctx, address("Ann"))
        secret = login_sessions.start(ctx, player, "Firefox/127.0 (X11; Linux)")
        login_sessions.start(ctx, player, "Mozilla/5.0 (iPhone) Safari/604.1")
    context.add_cookies([{"name": "pbem", "value": secret, "url": house.config.base_url}])
    return context.new_page()


def unruly(page: Page) -> list[str]:
    complaints: list[str] = []
    page.on("console", lambda said: complaints.append(said.text) if said.type in {"error", "warning"} else None)
    page.on("pageerror", lambda fault: complaints.append(str(fault)))
    return complaints
