"""Where webhooks call, and where they never do: our own network."""

from __future__ import annotations

import pytest

from pbem.play.core.errors import Refused
from pbem.play.notifications import webhook_urls


@pytest.mark.parametrize(
    "url",
    [
        "", "example.org/hook", "ftp://example.org/", "https://", "https:///x", "https://exa mple.org/", "javascript:1",
        "https://example.org:x/", "https://example.org:99999/", "https://[::1", "https://[fe80::1%25eth0]/",
        "https://example.org/\r\nX: y", "https://example.org/\x00", "https://example.org\\@evil.example/", "https://é.example/",
        f"https://example.org/{'x' * 1000}",
    ],
)  # fmt: skip
def test_what_is_no_address_is_refused_in_one_sentence(url: str) -> None:
    with pytest.raises(Refused, match="Enter a URL such as https://example"):
        webhook_urls.parse_url(url)


def test_an_address_with_a_password_is_refused() -> None:
    with pytest.raises(Refused, match="Each call is signed instead"):
        webhook_urls.parse_url("https://name:password@example.org/")


def test_an_address_is_taken_apart_once() -> None:
    assert webhook_urls.parse_url("https://Example.org") == webhook_urls.Target(
        secure=True, host="example.org", port=443, path="/"
    )
    target = webhook_urls.parse_url("http://[::1]:8080/a/b?c=d#e")
    assert target == webhook_urls.Target(secure=False, host="::1", port=8080, path="/a/b?c=d")
    assert target.host_header == "[::1]:8080"
    assert webhook_urls.parse_url("https://example.org/").host_header == "example.org"


@pytest.mark.parametrize(
    "machine",
    [
        "127.0.0.1", "127.9.9.9", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0",
        "224.0.0.1", "255.255.255.255", "240.0.0.1", "198.18.0.1", "::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1",
        "fd00:ec2::254", "ff02::1", "::ffff:127.0.0.1", "::ffff:169.254.169.254", "64:ff9b::7f00:1", "64:ff9b::a00:1",
        "2002:7f00:1::", "2001:0:53aa:64c:0:0:0:1", "2001:db8::1", "fec0::1", "feff::1",
        "2606:4700:4700::1111%eth0", "64:ff9b:1::101:101", "64:ff9b:1:7f00:0:100::", "64:ff9b::ffff:ffff", "::7f00:1",
        "0.1.2.3", "192.0.0.1", "192.0.2.1", "203.0.113.1", "2002:101:101::", "100::1",
    ],
)  # fmt: skip
def test_no_address_of_a_private_network_is_public(machine: str) -> None:
    assert not webhook_urls.is_public(machine)


@pytest.mark.parametrize(
    "machine", ["1.1.1.1", "8.8.8.8", "2606:4700:4700::1111", "::ffff:1.1.1.1", "64:ff9b::101:101"]
)
def test_those_of_the_open_internet_are(machine: str) -> None:
    assert webhook_urls.is_public(machine)
