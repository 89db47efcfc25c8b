"""The pages of one's account in a real browser: on a phone, and with a passkey of a device that the browser plays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.db.models import Passkey
from tests.support.web.account.by_browser import DEVICE, PHONE, context, served, signed_in, unruly

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext

    from tests.support.house import House

__all__ = ["context", "served"]

PAGES = ("/me", "/me/addresses", "/me/mail", "/me/look", "/me/browsers", "/me/passkeys")


def test_no_page_of_the_account_is_wider_than_a_phone(served: House, context: BrowserContext) -> None:
    page = signed_in(served, context)
    complaints = unruly(page)
    for path in PAGES:
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], path
        for field in page.locator("main input:visible, main select:visible").all():
            label = "e => (e.labels[0] ? e.labels[0].textContent.trim() : '')"
            assert field.evaluate(label), path
    assert complaints == []


def test_a_browser_offers_its_time_zone_where_it_is_another_one(browser: Browser, served: House) -> None:
    address_of_pages = served.config.base_url
    with browser.new_context(base_url=address_of_pages, timezone_id="Asia/Tokyo") as context:
        page = signed_in(served, context)
        complaints = unruly(page)
        page.goto("/me/time")
        page.get_by_text("This browser uses another time zone: Asia/Tokyo").wait_for()
        page.get_by_role("button", name="Use it").click()
        page.get_by_text("(Asia/Tokyo, UTC+9)").first.wait_for()
        assert page.get_by_role("button", name="Use it").is_hidden()
        assert complaints == []


def test_a_passkey_is_made_and_signs_in_again(served: House, context: BrowserContext) -> None:
    page = signed_in(served, context)
    complaints = unruly(page)
    device = context.new_cdp_session(page)
    device.send("WebAuthn.enable")
    device.send("WebAuthn.addVirtualAuthenticator", {"options": DEVICE})
    page.goto("/me/passkeys")
    page.get_by_label("Name of the passkey").fill("My phone")
    page.get_by_role("button", name="Create passkey").click()
    page.get_by_text("Never used.").wait_for()
    (row,) = served.all(Passkey.__table__.select().with_only_columns(Passkey.name))
    assert row == "My phone"
    # A device that has one makes no second.
    page.get_by_role("button", name="Create passkey").click()
    page.get_by_text("This device already has a passkey for you.").wait_for()
    context.clear_cookies()
    page.goto("/sign-in?then=/me/passkeys")
    page.get_by_role("button", name="Sign in with a passkey").click()
    page.get_by_text("Last used").wait_for()
    assert page.url.endswith("/me/passkeys")
    # Removed here, it is not known any more, and the page says so.
    page.get_by_role("button", name="Remove My phone").click()
    page.get_by_text("You have no passkeys yet.").wait_for()
    context.clear_cookies()
    page.goto("/sign-in")
    page.get_by_role("button", name="Sign in with a passkey").click()
    page.get_by_text("This passkey is unknown or was removed.").wait_for()
    assert [line for line in complaints if "422" not in line] == []


def test_a_device_that_refuses_is_told_in_the_page(served: House, context: BrowserContext) -> None:
    page = signed_in(served, context)
    device = context.new_cdp_session(page)
    device.send("WebAuthn.enable")
    device.send("WebAuthn.addVirtualAuthenticator", {"options": DEVICE | {"isUserVerified": False}})
    page.add_init_script(
        "navigator.credentials.create = () => Promise.reject(new DOMException('no', 'NotAllowedError'))"
    )
    page.goto("/me/passkeys")
    page.get_by_role("button", name="Create passkey").click()
    page.get_by_role("alert").get_by_text("No passkey was created.").wait_for()
    assert not served.all(Passkey.__table__.select())


def test_without_scripts_no_button_is_shown_that_could_do_nothing(served: House, browser: Browser) -> None:
    with browser.new_context(base_url=served.config.base_url, java_script_enabled=False) as context:
        page = signed_in(served, context)
        page.goto("/me/passkeys")
        assert not page.get_by_role("button", name="Create passkey").is_visible()
        assert page.locator("noscript p").is_visible()
        page.goto("/me")
        page.get_by_label("Your name").fill("Anna")
        page.get_by_role("button", name="Save").click()
        page.get_by_text("Saved.").wait_for()
