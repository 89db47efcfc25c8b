"""Notifications and the installed app: a real browser, the running service, and a push service on this machine.

The browser's own push service is on the internet: a page registers one of this machine instead, and what that was sent
is handed to the service worker by the browser's debugger.
"""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.live_service import until
from tests.support.play.notifications.push_service import Device, check_sender, push_service
from tests.support.signing_in import sign_in
from tests.support.web.browser import PHONE, reader

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

    from tests.support.live_service import LiveService
    from tests.support.receiver import Receiver

__all__ = ["push_service"]
FILL = """subscription => {
  const form = document.querySelector("form[data-push]");
  form.elements.subscription.value = subscription;
  form.submit();
}"""
SHOWN = """async () => (await (await navigator.serviceWorker.ready).getNotifications())
  .map(({ title, body, tag, lang, data }) => ({ title, body, tag, lang, path: data.path }))"""
# Only a finger may open a window: the worker's own handler runs, and what it would open is returned.
CLICK = """async () => {
  const [notification] = await self.registration.getNotifications();
  const event = new NotificationEvent("notificationclick", { notification });
  let opened, done;
  self.clients.openWindow = async (href) => { opened = href; };
  event.waitUntil = (promise) => { done = promise; };
  self.dispatchEvent(event);
  await done;
  return [opened, (await self.registration.getNotifications()).length];
}"""


@pytest.fixture
def phone(browser: Browser, live_service: LiveService) -> Iterator[Page]:
    """A phone of somebody who has signed in, whose browser may show notifications."""
    with reader(browser, live_service.url, PHONE) as context:
        context.grant_permissions(["notifications"], origin=live_service.url)
        yield context.new_page()


def deliver(page: Page, live_service: LiveService, shown: dict[str, Any]) -> None:
    """Hand a message to the service worker of a page, as a push service does."""
    debugger = page.context.new_cdp_session(page)
    known: list[str] = []
    debugger.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: known.extend(one["registrationId"] for one in event["registrations"]),
    )
    debugger.send("ServiceWorker.enable")
    while not known:
        page.wait_for_timeout(50)
    message = {"origin": live_service.url, "registrationId": known[-1], "data": json.dumps(shown)}
    debugger.send("ServiceWorker.deliverPushMessage", message)


def test_a_turn_reaches_the_phone_and_leads_to_the_match(
    live_service: LiveService, phone: Page, push_service: Receiver
) -> None:
    sign_in(live_service, phone, "Mona")
    # Else nothing would be pushed if the test runs at night.
    phone.goto("/me/time")
    phone.get_by_label("No deadlines during these hours").uncheck()
    phone.get_by_role("button", name="Save").click()
    phone.get_by_text("Saved.").wait_for()
    phone.goto("/me/devices")
    phone.get_by_role("button", name="Notify me on this device").wait_for()
    device = Device(f"{push_service.url}/mona")
    phone.evaluate(FILL, device.subscription)
    phone.get_by_text("(this one)").wait_for()
    match = live_service.start_match("martian-whist", {}, "Mona", "Nils")
    name, ply = "", 0
    while name != "Nils":
        name, mail, view = until(partial(live_service.next_turn, match, ("Mona", "Nils"), ply))
        live_service.reply(name, mail, view["moves"][0])
        ply = view["ply"]
    (shown, *_) = until(lambda: device.shown(push_service))
    assert shown["title"] == "Martian Whist: it is your turn"
    assert shown["path"] == f"/mine/{match}"
    claims, _key = check_sender(push_service.calls[0][1]["authorization"])
    assert claims["aud"] == push_service.url
    phone.evaluate("navigator.serviceWorker.ready.then(() => true)")
    deliver(phone, live_service, shown)
    assert until(lambda: phone.evaluate(SHOWN)) == [shown]
    (worker,) = phone.context.service_workers
    opened, left = worker.evaluate(CLICK)
    assert (opened, left) == (f"{live_service.url}/mine/{match}", 0)
    phone.goto(opened)
    phone.get_by_role("heading", level=1).wait_for()


def test_the_app_is_installable_and_says_in_ones_language_when_it_is_offline(
    live_service: LiveService, phone: Page
) -> None:
    sign_in(live_service, phone, "Olga")
    phone.goto("/mine")
    phone.evaluate("navigator.serviceWorker.ready.then(() => true)")
    debugger = phone.context.new_cdp_session(phone)
    manifest = debugger.send("Page.getAppManifest")
    assert manifest["errors"] == []
    assert manifest["url"].endswith("/manifest.webmanifest")
    assert {fault["errorId"] for fault in debugger.send("Page.getInstallabilityErrors")["installabilityErrors"]} <= {
        "in-incognito"
    }
    phone.get_by_role("button", name="Deutsch").click()
    phone.locator("html[lang=de]").wait_for()
    kept = "caches.match('/offline', { ignoreVary: true }).then((page) => page?.headers.get('Content-Language'))"
    until(lambda: phone.evaluate(kept) == "de")
    # Nothing else is kept: pages hold hidden cards.
    urls = """async () => (await Promise.all((await caches.keys()).map(async (name) =>
      (await (await caches.open(name)).keys()).map((one) => new URL(one.url).pathname)))).flat()"""
    assert phone.evaluate(urls) == ["/offline"]
    phone.context.set_offline(True)
    phone.goto("/lobby")
    phone.get_by_role("heading", name="Keine Verbindung").wait_for()
    assert phone.url.endswith("/lobby")
    phone.context.set_offline(False)
    phone.get_by_role("link", name="Noch einmal versuchen").click()
    phone.get_by_role("navigation", name="Hauptmenü").wait_for()
