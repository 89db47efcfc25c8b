"""Where webhooks call, and where they never do: our own network."""

from __future__ import annotations

import socket
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pbem.play.core.errors import Refused
from pbem.play.notifications import webhook_client, webhook_urls
from pbem.play.notifications.webhook_client import CallError
from tests.support.play.notifications.webhooks import program

if TYPE_CHECKING:
    from tests.support.house import House
    from tests.support.receiver import Receiver

__all__ = ["program"]


@pytest.mark.parametrize("open_house", [True, False])
@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("https://10.0.0.1/", "is in a private network"),
        ("https://169.254.169.254/latest/meta-data", "is in a private network"),
        ("https://[::ffff:10.0.0.1]/", "is in a private network"),
        ("https://167772161/", "is in a private network"),
        ("https://0x0a000001/", "is in a private network"),
        ("http://1.1.1.1/", "must begin with https"),
        ("https://1.1.1.1:25/", "Use port 443"),
        ("https://no-such-machine.invalid/", "The host no-such-machine.invalid does not exist."),
        (f"https://{'x' * 64}.example/", "does not exist"),
    ],
)
def test_our_own_network_is_never_called(house: House, url: str, reason: str, open_house: bool) -> None:  # noqa: FBT001
    config = replace(house.config, allow_anonymous=open_house)
    with pytest.raises(Refused, match=reason):
        webhook_urls.resolve_host(config, webhook_urls.parse_url(url))
    # Not only when it is added: its name may have come to mean another machine.
    with pytest.raises(CallError, match=reason):
        webhook_client.call(config, url, b"{}", {})


def test_this_machine_is_called_only_in_an_open_house(house: House, program: Receiver) -> None:
    closed = replace(house.config, allow_anonymous=False)
    for url, reason in ((program.url, "https"), (program.url.replace("http:", "https:"), "private network")):
        with pytest.raises(CallError, match=reason):
            webhook_client.call(closed, url, b"{}", {})
    assert not program.calls
    webhook_client.call(house.config, program.url.replace("127.0.0.1", "localhost"), b"{}", {})
    (_path, headers, _body) = program.calls[0]
    assert headers["host"].startswith("localhost:")


def test_a_name_that_means_two_machines_must_mean_two_public_ones(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Names that change what they mean cannot be had here, so the answer of the resolver is put in its place.
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (machine, 443)) for machine in ("1.1.1.1", "10.0.0.1")]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_args, **_more: found)
    target = webhook_urls.parse_url("https://rebinding.example/")
    with pytest.raises(Refused, match="private network"):
        webhook_urls.resolve_host(house.config, target)
    found.pop()
    assert webhook_urls.resolve_host(house.config, target) == "1.1.1.1"
