"""Where webhooks call, and where they never do: our own network."""

from __future__ import annotations

import socket
import ssl
import subprocess
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pbem.play import webhook_calls, webhook_urls
from pbem.play.webhook_calls import CallError
from pbem.play.webhook_urls import UrlError
from tests.play.test_webhooks import program
from tests.receiver import receiving

if TYPE_CHECKING:
    from pathlib import Path

    from tests.house import House
    from tests.receiver import Receiver


__all__ = ["program"]


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
    with pytest.raises(UrlError, match="it should look like https://example"):
        webhook_urls.parsed(url)


def test_an_address_with_a_password_is_refused() -> None:
    with pytest.raises(UrlError, match="what you are sent is signed instead"):
        webhook_urls.parsed("https://name:password@example.org/")


def test_an_address_is_taken_apart_once() -> None:
    assert webhook_urls.parsed("https://Example.org") == webhook_urls.Target(
        secure=True, host="example.org", port=443, path="/"
    )
    target = webhook_urls.parsed("http://[::1]:8080/a/b?c=d#e")
    assert target == webhook_urls.Target(secure=False, host="::1", port=8080, path="/a/b?c=d")
    assert target.name == "[::1]:8080"
    assert webhook_urls.parsed("https://example.org/").name == "example.org"


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
        ("https://1.1.1.1:25/", "Only port 443"),
        ("https://no-such-machine.invalid/", "There is no machine of the name no-such-machine.invalid."),
        (f"https://{'x' * 64}.example/", "There is no machine"),
    ],
)
def test_our_own_network_is_never_called(house: House, url: str, reason: str, open_house: bool) -> None:  # noqa: FBT001
    config = replace(house.config, open_house=open_house)
    with pytest.raises(UrlError, match=reason):
        webhook_urls.resolved(config, webhook_urls.parsed(url))
    # Not only when it is added: its name may have come to mean another machine.
    with pytest.raises(CallError, match=reason):
        webhook_calls.call(config, url, b"{}", {})


def test_this_machine_is_called_only_in_an_open_house(house: House, program: Receiver) -> None:
    closed = replace(house.config, open_house=False)
    for url, reason in ((program.url, "https"), (program.url.replace("http:", "https:"), "private network")):
        with pytest.raises(CallError, match=reason):
            webhook_calls.call(closed, url, b"{}", {})
    assert not program.calls
    webhook_calls.call(house.config, program.url.replace("127.0.0.1", "localhost"), b"{}", {})
    (_path, headers, _body) = program.calls[0]
    assert headers["host"].startswith("localhost:")


def test_a_name_that_means_two_machines_must_mean_two_public_ones(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Names that change what they mean cannot be had here, so the answer of the resolver is put in its place.
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (machine, 443)) for machine in ("1.1.1.1", "10.0.0.1")]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_args, **_more: found)
    target = webhook_urls.parsed("https://rebinding.example/")
    with pytest.raises(UrlError, match="private network"):
        webhook_urls.resolved(house.config, target)
    found.pop()
    assert webhook_urls.resolved(house.config, target) == "1.1.1.1"


def test_only_who_has_the_certificate_of_the_name_is_told(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    made = ("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-days", "2")
    named = ("-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate)
    subprocess.run((*made, *named), check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    with receiving(context) as program:
        port = program.url.rpartition(":")[2]
        with pytest.raises(CallError, match="Its certificate does not hold for this address"):
            webhook_calls.call(house.config, f"https://localhost:{port}/", b"{}", {})
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        with pytest.raises(CallError, match="Its certificate does not hold for this address"):
            webhook_calls.call(house.config, f"https://127.0.0.1:{port}/", b"{}", {})
        assert not program.calls
        webhook_calls.call(house.config, f"https://localhost:{port}/", b"{}", {})
        assert len(program.calls) == 1
