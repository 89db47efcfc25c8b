"""Floods: what may be asked for only so often is answered 429 above that, with when to try again."""

from __future__ import annotations

from ipaddress import ip_address, ip_network
from typing import TYPE_CHECKING

from flask import request
from werkzeug.exceptions import TooManyRequests

from pbem.i18n import several
from pbem.play.core import rate_limits
from pbem.play.core.rate_limits import HOUR, Allowed
from pbem.web.common.context import service, transaction

if TYPE_CHECKING:
    from flask import Flask

    from pbem.play.core.context import Context

DOORS = {"api": 3600, "api with a key": 36_000, "form": 1200}
"""How many calls of the API, and how many forms, are taken from one network in an hour; each key, and what is asked
for, may have limits of its own. Mail that services hand on is counted as mail: by `emails.inbound.accept`."""

_TOGETHER = {4: 24, 6: 56}
"""The first so many bits of an address are one network: what one household or office has."""
_MINUTE = 60
MATCHES_FROM_A_NETWORK = 30
"""So many matches an hour are made at the request of one network."""


def watch(app: Flask) -> None:
    """Count what comes in at each door, before anything of it is looked at."""

    @app.before_request
    def not_too_often() -> None:
        door = _door()
        if door and service().config.limits is not None:
            with transaction() as ctx:
                spend(ctx, from_here(door, DOORS[door]))


def _door() -> str | None:
    if request.path.startswith("/api/"):
        return "api with a key" if "Authorization" in request.headers else "api"
    return "form" if request.method == "POST" and not request.path.startswith("/incoming/") else None


def spend(ctx: Context, *allowed: Allowed) -> None:
    """Count something once under every limit; answers 429, counting nothing, where one of them is used up.

    To be asked before anything is done: what the transaction has done is undone. A service without limits
    counts nothing.
    """
    if ctx.config.limits is None:
        return
    again = rate_limits.spend(ctx, *allowed)
    if again is not None:
        seconds = max(1, int((again - ctx.now).total_seconds()) + 1)
        raise TooManyRequests(
            several(
                "That was too often. Please try again in a minute.",
                "That was too often. Please try again in {count} minutes.",
                -(-seconds // _MINUTE),
            ),
            retry_after=seconds,
        )


def from_here(what: str, most: int, seconds: int = HOUR) -> Allowed:
    """Allow something so many times to the network that the request comes from."""
    return Allowed(f"{what} from", network(), most, seconds)


def network() -> str:
    """Name the network that the request comes from, as far as machines that we trust tell it."""
    hops = [hop.strip() for each in request.headers.getlist("X-Forwarded-For") for hop in each.split(",")]
    # A web server of this machine that hands on through a socket has no address of its own.
    nearest = request.remote_addr or "127.0.0.1"
    while hops and service().config.trusts(nearest):
        nearest = hops.pop()
    return _network_of(nearest)


def _network_of(typed: str) -> str:
    try:
        address = ip_address(typed.strip("[]").partition("%")[0])
    except ValueError:
        return "unknown"
    address = getattr(address, "ipv4_mapped", None) or address
    return str(ip_network(f"{address}/{_TOGETHER[address.version]}", strict=False))
