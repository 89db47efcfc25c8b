"""Where webhooks may lead: to machines on the open internet, never into our own network."""

from __future__ import annotations

import socket
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from pbem.i18n import _

if TYPE_CHECKING:
    from pbem.config import Config

LONGEST = 1000
_HTTPS, _HTTP = 443, 80
_UNPRIVILEGED = 1024
_TRANSLATED = IPv6Network("64:ff9b::/96")
"""Addresses that a network without IPv4 gives to machines that have nothing else (RFC 6052)."""

_TRANSLATED_HERE = IPv6Network("64:ff9b:1::/48")
"""The same, as a network of our own may do it (RFC 8215)."""


class UrlError(ValueError):
    """Refuses an address, in a sentence for its owner."""


@dataclass(frozen=True, slots=True)
class Target:
    """An address that was typed, taken apart once, so that it is checked and called by the same parts."""

    secure: bool
    host: str
    port: int
    path: str

    @property
    def name(self) -> str:
        """The host as a request names it, with its port where that is not the usual one."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == (_HTTPS if self.secure else _HTTP) else f"{host}:{self.port}"


def parsed(url: str) -> Target:
    """Take an address apart, or refuse it."""
    if len(url) > LONGEST or not url.isascii() or not url.isprintable() or " " in url or "\\" in url:
        raise UrlError(_("That is no address that can be called: it should look like https://example.org/hook."))
    try:
        split = urlsplit(url)
        host, port = split.hostname or "", split.port
    except ValueError:
        host, port = "", None
    if not host or "%" in host or split.scheme not in {"http", "https"}:
        raise UrlError(_("That is no address that can be called: it should look like https://example.org/hook."))
    if split.username is not None or split.password is not None:
        raise UrlError(_("The address cannot hold a name or a password; what you are sent is signed instead."))
    secure = split.scheme == "https"
    port = (_HTTPS if secure else _HTTP) if port is None else port
    path = split.path or "/"
    return Target(secure, host, port, f"{path}?{split.query}" if split.query else path)


def resolved(config: Config, target: Target) -> str:
    """Look up the machine of an address, or refuse it: what it is called at is what was looked at.

    A house that is open to all is on one person's own machine, and may call programs there.
    """
    try:
        found = socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise UrlError(_("There is no machine of the name {host}.", host=target.host)) from None
    machines = [str(each[4][0]) for each in found]
    here = config.open_house and all(_plain(machine).is_loopback for machine in machines)
    if here:
        return machines[0]
    if not target.secure:
        raise UrlError(_("The address must begin with https://, so that nobody on the way can read or change a call."))
    if target.port != _HTTPS and target.port < _UNPRIVILEGED:
        raise UrlError(_("Only port 443, and those from 1024 on, are called."))
    # One that leads to several places may lead to another one the next time.
    if not all(is_public(machine) for machine in machines):
        raise UrlError(_("{host} is in a private network, where nothing is called from here.", host=target.host))
    return machines[0]


def is_public(machine: str) -> bool:
    """Tell whether an IP address is one of the open internet."""
    address = _plain(machine)
    if isinstance(address, IPv6Address) and (address.sixtofour or address.teredo or address.is_site_local):
        # It ends wherever the address within says, or in the network that it is called from.
        return False
    if "%" in machine or address in _TRANSLATED_HERE:
        return False
    return address.is_global and not address.is_multicast and not address.is_reserved


def _plain(machine: str) -> IPv4Address | IPv6Address:
    """Give an address without the zone of its network, and one of IPv4 as such however it is written."""
    address = ip_address(machine.partition("%")[0])
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped:
            return address.ipv4_mapped
        if address in _TRANSLATED:
            return IPv4Address(int(address) & 0xFFFFFFFF)
    return address
