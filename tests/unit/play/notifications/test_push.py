"""Push messages: encrypted as RFC 8291 says, and signed as RFC 8292 says."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from cryptography.exceptions import InvalidTag

from pbem.config import Config
from pbem.play.core import tokens
from pbem.play.core.errors import Refused
from pbem.play.notifications import push_client, push_subscriptions, vapid
from tests.support.play.notifications.push_service import Device, check_sender, decode

KEYS = ("an old secret key of thirty-two characters", "a new secret key of thirty-two characters")
CONFIG = Config("postgresql:///x", "redis://localhost", KEYS, "https://example.org", "example.org", "maildir:///x")
NOW = datetime(2026, 3, 1, tzinfo=UTC)


def test_only_the_browser_reads_a_message() -> None:
    ours, other = Device("https://push.example.org/1"), Device("https://push.example.org/2")
    body = push_client.encrypt(
        push_subscriptions.parse(ours.subscription, ""), '{"title": "Zug 7, mit Jürgen"}'.encode()
    )
    assert b"title" not in body
    assert ours.decrypt(body) == {"title": "Zug 7, mit Jürgen"}
    with pytest.raises(InvalidTag):
        other.decrypt(body)


def test_the_same_message_is_never_the_same_bytes() -> None:
    device = push_subscriptions.parse(Device("https://push.example.org/1").subscription, "")
    assert push_client.encrypt(device, b"{}") != push_client.encrypt(device, b"{}")


@pytest.mark.parametrize(
    ("endpoint", "origin"),
    [
        ("https://push.example.org/send/abc", "https://push.example.org"),
        ("https://push.example.org:8443/abc?d=e", "https://push.example.org:8443"),
    ],
)
def test_a_push_service_learns_who_sends_to_it_and_for_how_long(endpoint: str, origin: str) -> None:
    claims, key = check_sender(vapid.authorization(CONFIG, KEYS[1], endpoint, NOW)["Authorization"])
    until = int((NOW + timedelta(hours=12)).timestamp())
    assert claims == {"aud": origin, "exp": until, "sub": "mailto:games@example.org"}
    assert key == vapid.public_key(KEYS[1])


def test_each_secret_key_has_a_key_of_its_own_that_stays_the_same() -> None:
    assert vapid.public_key(KEYS[0]) != vapid.public_key(KEYS[1])
    assert len(decode(vapid.public_key(KEYS[0]))) == 65
    # Browsers are bound to it: another one would leave all of them without notifications.
    assert vapid.public_key(KEYS[0]).startswith("BKNlZFoX3Hi34ntCVVKymAYKDCZPPD9Ej")


def test_a_key_signs_as_long_as_it_is_configured() -> None:
    known = tokens.key_id(KEYS[0])
    assert vapid.find_secret(CONFIG, known) == KEYS[0]
    assert vapid.find_secret(replace(CONFIG, secret_keys=KEYS[1:]), known) is None


@pytest.mark.parametrize(
    ("header", "delay"),
    [
        (None, None),
        ("120", timedelta(minutes=2)),
        ("99999999999", timedelta(hours=6)),
        ("Sun, 06 Nov 1994 08:49:37 GMT", timedelta()),
        ("soon", None),
    ],
)
def test_when_to_try_again_is_a_number_or_a_date(header: str | None, delay: timedelta | None) -> None:
    assert push_client.parse_delay(header) == delay


def test_a_subscription_with_half_a_key_is_refused() -> None:
    device = Device("https://push.example.org/1", secret=b"too short")
    with pytest.raises(Refused):
        push_subscriptions.parse(device.subscription, "")
