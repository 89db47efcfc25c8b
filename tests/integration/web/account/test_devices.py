"""The page of the devices that are notified of a player's turns."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, update

from pbem.db.models import Player, PushMessage, PushSubscription
from pbem.play.notifications.push_delivery import deliver_due_messages
from tests.support.play.notifications.push_service import Device, encode, push_service, subscriptions
from tests.support.web.lobby.open_tables import signed_in

if TYPE_CHECKING:
    from tests.support.house import House
    from tests.support.receiver import Receiver

__all__ = ["push_service"]
PAGE = "/me/devices"
ADD = "Notify me on this device"


def test_the_account_leads_to_devices_that_are_added_tested_and_forgotten(local: House, push_service: Receiver) -> None:
    local.start_match("martian-whist", 2)
    device = Device(f"{push_service.url}/ann")
    page = signed_in(local, "Ann").open("/me").follow("Notifications on your devices")
    assert "None of your devices is notified." in page.words
    page = page.press(ADD, subscription=device.subscription)
    assert "Saved." in page.words
    assert "an unknown browser (this one)" in page.words
    assert "Not notified yet." in page.words
    page = page.press("Send a test an unknown browser")
    assert "The test is on its way." in page.words
    assert deliver_due_messages(local.engine, local.config) == 1
    (shown,) = device.shown(push_service)
    assert shown["body"] == "This is a test: your turns are announced here."
    assert shown["path"] == PAGE
    page = signed_in(local, "Ann").open(PAGE)
    assert "Last notified" in page.words
    page.press("Forget an unknown browser")
    assert subscriptions(local) == []
    assert local.all(select(PushMessage)) == []


def test_a_player_chooses_whether_turns_are_mailed_too(local: House, push_service: Receiver) -> None:
    local.start_match("martian-whist", 2)
    page = signed_in(local, "Ann").open(PAGE).press(ADD, subscription=Device(push_service.url).subscription)
    for choice, stored in (("instead", True), ("also", False)):
        page = page.press("Save", mail=choice)
        assert local.rows(select(Player.push_replaces_mail).where(Player.name == "Ann"))[0][0] is stored


@pytest.mark.parametrize(
    "subscription",
    [
        "",
        "[]",
        "[" * 5000,
        json.dumps({"endpoint": "https://example.org/"}),
        json.dumps({"endpoint": "https://example.org/", "keys": {"p256dh": "AAAA", "auth": "AAAA"}}),
        json.dumps(
            {"endpoint": "https://example.org/", "keys": {"p256dh": encode(b"\4" * 65), "auth": encode(b"a" * 16)}}
        ),
        json.dumps({"endpoint": "https://example.org/", "keys": {"p256dh": 7, "auth": None}}),
    ],
)
def test_what_is_no_subscription_is_refused_in_a_sentence(local: House, subscription: str) -> None:
    local.start_match("martian-whist", 2)
    page = signed_in(local, "Ann").open(PAGE).press(ADD, subscription=subscription)
    assert page.status == 422
    assert "Your browser sent no valid subscription." in page.words
    assert subscriptions(local) == []


def test_a_subscription_to_an_unknown_key_is_refused(local: House, push_service: Receiver) -> None:
    local.start_match("martian-whist", 2)
    device = Device(push_service.url)
    page = signed_in(local, "Ann").open(PAGE).press(ADD, subscription=device.subscription, signed_by="other")
    assert page.status == 422
    assert subscriptions(local) == []


def test_a_device_of_another_player_is_neither_shown_nor_changed(local: House, push_service: Receiver) -> None:
    local.start_match("martian-whist", 2)
    signed_in(local, "Ann").open(PAGE).press(ADD, subscription=Device(push_service.url).subscription)
    (device,) = subscriptions(local)
    bob = signed_in(local, "Bob").open(PAGE)
    assert "None of your devices is notified." in bob.words
    bob.press(ADD, do="forget", device=str(device.id))
    bob.press(ADD, do="test", device=str(device.id))
    assert [one.id for one in subscriptions(local)] == [device.id]
    assert local.all(select(PushMessage)) == []


def test_a_device_that_fails_says_so(local: House, push_service: Receiver) -> None:
    local.start_match("martian-whist", 2)
    ann = signed_in(local, "Ann")
    ann.open(PAGE).press(ADD, subscription=Device(push_service.url).subscription)
    why = "It answered with status 503."
    with local.transaction() as ctx:
        ctx.session.execute(update(PushSubscription).values(failing_since=ctx.now, last_error=why))
    page = ann.open(PAGE)
    assert "Notifications have been failing since" in page.words
    assert why in page.words
    with local.transaction() as ctx:
        ctx.session.execute(update(PushSubscription).values(disabled_at=ctx.now))
    page = ann.open(PAGE)
    assert f"This device is no longer notified, because that failed for days. {why}" in page.words
    # It can be added again.
    page.press(ADD, subscription=Device(push_service.url).subscription)
    assert [one.disabled_at for one in subscriptions(local)] == [None]


def test_signing_out_of_a_browser_forgets_it(local: House, push_service: Receiver) -> None:
    local.start_match("martian-whist", 2)
    page = signed_in(local, "Ann").open(PAGE).press(ADD, subscription=Device(push_service.url).subscription)
    page.press("Sign out")
    assert subscriptions(local) == []
