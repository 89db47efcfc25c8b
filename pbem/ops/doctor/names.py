"""DNS queries: records of a domain, and the addresses that our mail leaves from."""

from __future__ import annotations

from ipaddress import ip_address
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from dns.exception import DNSException
from dns.name import from_text
from dns.resolver import NXDOMAIN, NoAnswer, NoResolverConfiguration, Resolver
from dns.reversename import from_address

from pbem.config import ConfigError

if TYPE_CHECKING:
    from pbem.ops.doctor.check import CheckContext

TIMEOUT_SECONDS = 5.0
"""Seconds to wait for an answer."""


def make_resolver(where: str | None = None) -> Resolver:
    """Return a resolver for a server such as `9.9.9.9` or `127.0.0.1:5353`, by default the system's own."""
    if where is None:
        try:
            found = Resolver()
        except NoResolverConfiguration:
            found = Resolver(configure=False)
    else:
        address, port = parse_server(where)
        found = Resolver(configure=False)
        found.nameservers, found.port = [address], port
    found.lifetime = TIMEOUT_SECONDS
    return found


def parse_server(where: str) -> tuple[str, int]:
    """Parse the address of a name server, with or without a port."""
    host, _, port = where.rpartition(":")
    if not host or (":" in host and not host.endswith("]")):
        host, port = where, "53"
    try:
        return str(ip_address(host.strip("[]"))), int(port)
    except ValueError:
        raise ConfigError(f"--resolver must be an address like 9.9.9.9 or 127.0.0.1:5353, not {where}.") from None


def txt_records(context: CheckContext, name: str) -> list[str]:
    """Return a name's TXT records, each joined from its strings."""
    return [b"".join(each.strings).decode("utf-8", "replace") for each in _query(context, name, "TXT")]


def host_addresses(context: CheckContext, name: str) -> list[str]:
    """Return the addresses of a host; an address is its own."""
    try:
        return [str(ip_address(name))]
    except ValueError:
        return [each.address for kind in ("A", "AAAA") for each in _query(context, name, kind)]


def mx_hosts(context: CheckContext, name: str) -> list[str]:
    """Return the mail exchangers of a domain in the order of preference; "" means a null MX."""
    found = sorted(
        (each.preference, each.exchange.to_text(omit_final_dot=True)) for each in _query(context, name, "MX")
    )
    return [host.strip(".") for _, host in found]


def ptr_names(context: CheckContext, address: str) -> list[str]:
    """Return the names in the PTR records of an address."""
    return [each.target.to_text(omit_final_dot=True) for each in _query(context, str(from_address(address)), "PTR")]


def sending_addresses(context: CheckContext) -> list[str] | None:
    """Return the addresses that our mail leaves from; None if a provider's machines send it."""
    own = [] if context.config.host == "localhost" else host_addresses(context, context.config.host)
    host = urlsplit(context.config.smtp_url).hostname or ""
    there = ["127.0.0.1"] if host == "localhost" else host_addresses(context, host)
    here = any(ip_address(each).is_private or each in own for each in there)
    return [each for each in own if ip_address(each).is_global] if here else None


def _query(context: CheckContext, name: str, kind: str) -> list[Any]:
    try:
        return list(context.resolver.resolve(from_text(name), kind))
    except (NXDOMAIN, NoAnswer):
        return []
    except DNSException as error:
        raise OSError(f"the name server did not answer for {kind} of {name}: {error}") from error
