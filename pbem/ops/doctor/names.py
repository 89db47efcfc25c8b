"""Asking name servers: what a domain says of itself, and from which machines our mail leaves."""

from __future__ import annotations

from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from dns.exception import DNSException
from dns.name import from_text
from dns.resolver import NXDOMAIN, NoAnswer, NoResolverConfiguration, Resolver
from dns.reversename import from_address

from pbem.config import ConfigError

if TYPE_CHECKING:
    from typing import Any

    from pbem.ops.doctor.check import Ground

SECONDS = 5.0
"""So long an answer may take."""


def resolver(where: str | None = None) -> Resolver:
    """Give whom to ask for names: a server and port such as `9.9.9.9` or `127.0.0.1:5353`, else the system's own."""
    if where is None:
        try:
            found = Resolver()
        except NoResolverConfiguration:
            found = Resolver(configure=False)
    else:
        address, port = parted(where)
        found = Resolver(configure=False)
        found.nameservers, found.port = [address], port
    found.lifetime = SECONDS
    return found


def parted(where: str) -> tuple[str, int]:
    """Read a server's address, with a port or without."""
    host, _, port = where.rpartition(":")
    if not host or (":" in host and not host.endswith("]")):
        host, port = where, "53"
    try:
        return str(ip_address(host.strip("[]"))), int(port)
    except ValueError:
        raise ConfigError(f"A resolver is named by its address, like 9.9.9.9 or 127.0.0.1:5353, not {where}.") from None


def texts(ground: Ground, name: str) -> list[str]:
    """Give a name's TXT records, each put together from its pieces."""
    return [b"".join(each.strings).decode("utf-8", "replace") for each in _asked(ground, name, "TXT")]


def addresses(ground: Ground, name: str) -> list[str]:
    """Give the addresses of a machine; an address is its own."""
    try:
        return [str(ip_address(name))]
    except ValueError:
        return [each.address for kind in ("A", "AAAA") for each in _asked(ground, name, kind)]


def exchangers(ground: Ground, name: str) -> list[str]:
    """Give the machines that take a domain's mail, the first to be tried first; "" where it says that none does."""
    found = sorted((each.preference, each.exchange.to_text(omit_final_dot=True)) for each in _asked(ground, name, "MX"))
    return [host.strip(".") for _, host in found]


def pointers(ground: Ground, address: str) -> list[str]:
    """Give the names that an address is said to have."""
    return [each.target.to_text(omit_final_dot=True) for each in _asked(ground, str(from_address(address)), "PTR")]


def senders(ground: Ground) -> list[str] | None:
    """Give the addresses that our mail leaves from; None where another's machines send it."""
    own = [] if ground.config.host == "localhost" else addresses(ground, ground.config.host)
    host = urlsplit(ground.config.smtp_url).hostname or ""
    there = ["127.0.0.1"] if host == "localhost" else addresses(ground, host)
    here = any(ip_address(each).is_private or each in own for each in there)
    return [each for each in own if ip_address(each).is_global] if here else None


def _asked(ground: Ground, name: str, kind: str) -> list[Any]:
    try:
        return list(ground.resolver.resolve(from_text(name), kind))
    except (NXDOMAIN, NoAnswer):
        return []
    except DNSException as fault:
        raise OSError(f"the name server does not tell {kind} of {name}: {fault}") from fault
