"""Validation of webhook URLs: only hosts on the public internet may be called, never our own network."""

from __future__ import annotations

import socket
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from pbem.i18n import _
from pbem.play.core.errors import Refused

if TYPE_CHECKING:
    from pbem.config import Config

MAX_URL_CHARS = 1000
_HTTPS_PORT, _HTTP_PORT = 443, 80
_FIRST_UNPRIVILEGED_PORT = 1024
_NAT64 = IPv6Network("64:ff9b::/96")
"""Addresses of IPv4-only hosts in a network without IPv4, by NAT64 (RFC 6052)."""

_LOCAL_NAT64 = IPv6Network("64:ff9b:1::/48")
"""The same within a network of our own (RFC 8215)."""


@dataclass(frozen=True, slots=True)
class Target:
    """A URL that is parsed once, so that the same parts are checked and called."""

    secure: bool
    host: str
    port: int
    path: str

    @property
    def host_header(self) -> str:
        """Value of the Host header: the host, with its port unless that is the default."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == (_HTTPS_PORT if self.secure else _HTTP_PORT) else f"{host}:{self.port}"


def parse_url(url: str) -> Target:
    """Parse a URL; raises Refused."""
    plain = len(url) <= MAX_URL_CHARS and url.isascii() and url.isprintable() and not {" ", "\\"} & {*url}
    try:
        split = urlsplit(url if plain else "")
        host, port = split.hostname or "", split.port
    except ValueError:
        host, port = "", None
    if not host or "%" in host or split.scheme not in {"http", "https"}:
        raise Refused(_("Enter a URL such as https://example.org/hook."))
    if split.username is not None or split.password is not None:
        raise Refused(_("The URL cannot contain a name or a password. Each call is signed instead."))
    secure = split.scheme == "https"
    port = (_HTTPS_PORT if secure else _HTTP_PORT) if port is None else port
    path = split.path or "/"
    return Target(secure, host, port, f"{path}?{split.query}" if split.query else path)


def resolve_host(config: Config, target: Target) -> str:
    """Resolve the host of a URL to the IP address to connect to; raises Refused for one that must not be called.

    A service that allows anonymous play is a single person's own machine, and may call programs on it.
    """
    try:
        found = socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise Refused(_("The host {host} does not exist.", host=target.host)) from None
    addresses = [str(each[4][0]) for each in found]
    if config.allow_anonymous and all(_normalise(address).is_loopback for address in addresses):
        return addresses[0]
    if not target.secure:
        raise Refused(_("The URL must begin with https://."))
    if target.port != _HTTPS_PORT and target.port < _FIRST_UNPRIVILEGED_PORT:
        raise Refused(_("Use port 443, or one from 1024 up."))
    # A host with several addresses may resolve to another one the next time.
    if not all(is_public(address) for address in addresses):
        raise Refused(_("{host} is in a private network, which cannot be called.", host=target.host))
    return addresses[0]


def is_public(typed: str) -> bool:
    """Return whether an IP address is on the public internet."""
    address = _normalise(typed)
    if isinstance(address, IPv6Address) and (address.sixtofour or address.teredo or address.is_site_local):
        # A tunnel ends wherever the embedded address says; a site-local address is in the caller's own network.
        return False
    if "%" in typed or address in _LOCAL_NAT64:
        return False
    return address.is_global and not address.is_multicast and not address.is_reserved


def _normalise(typed: str) -> IPv4Address | IPv6Address:
    """Return an IP address without its zone, and an embedded IPv4 address as such."""
    address = ip_address(typed.partition("%")[0])
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped:
            return address.ipv4_mapped
        if address in _NAT64:
            return IPv4Address(int(address) & 0xFFFFFFFF)
    return address
