"""Rate limits of requests: a 429 above them, with when to try again; calls of the API say what is left."""

from __future__ import annotations

from ipaddress import ip_address, ip_network
from typing import TYPE_CHECKING

from flask import g, request
from werkzeug.exceptions import TooManyRequests

from pbem.i18n import several
from pbem.play.core import rate_limits
from pbem.play.core.rate_limits import SECONDS_PER_HOUR, Limit, Usage
from pbem.web.request.context import service, transaction

if TYPE_CHECKING:
    from flask import Flask, Response

    from pbem.play.core.context import Context

REQUESTS_PER_HOUR = {"api": 3600, "api with a key": 36_000, "form": 1200}
"""Requests per hour from one network: API calls, and forms. API keys and single actions may have limits of their
own. Mail that services forward is counted as mail, by `emails.inbound.accept`.
"""

_NETWORK_PREFIX_BITS = {4: 24, 6: 56}
"""Bits of an address, by IP version, that are one network: what one household or office has."""
MAX_MATCHES_PER_HOUR = 30
"""Maximum matches per network and hour."""
POLICY_NAMES = {
    "api from": "network",
    "api with a key from": "network",
    "api key": "key",
    "match by program": "matches",
}
"""Names of the limits that programs are informed of, by counter."""
_USAGE = "rate limits"


def init_app(app: Flask) -> None:
    """Count each request under the limit of its network, before it is handled."""

    @app.before_request
    def limit_requests() -> None:
        kind = None
        if request.path.startswith("/api/"):
            kind = "api with a key" if "Authorization" in request.headers else "api"
        elif request.method == "POST" and not request.path.startswith("/incoming/"):
            kind = "form"
        if kind and service().config.limits is not None:
            with transaction() as ctx:
                hit(ctx, per_network(kind, REQUESTS_PER_HOUR[kind]))

    @app.after_request
    def set_headers(response: Response) -> Response:
        counted: dict[str, Usage] = g.get(_USAGE, {})
        if counted:
            policies = (f'"{name}";q={one.limit.maximum};w={one.limit.seconds}' for name, one in counted.items())
            response.headers["RateLimit-Policy"] = ", ".join(policies)
            left = (f'"{name}";r={one.remaining};t={one.seconds}' for name, one in counted.items())
            response.headers["RateLimit"] = ", ".join(left)
        return response


def hit(ctx: Context, *allowed: Limit) -> None:
    """Count a request under every limit; abort with 429, counting nothing, if one is used up.

    Call it before anything else is done: the transaction is rolled back. A service without limits counts nothing.
    """
    if ctx.config.limits is None:
        return
    again, counted = rate_limits.hit_and_measure(ctx, *allowed)
    named = {POLICY_NAMES[one.limit.namespace]: one for one in counted if one.limit.namespace in POLICY_NAMES}
    g.setdefault(_USAGE, {}).update(named)
    if again is not None:
        seconds = max(1, int((again - ctx.now).total_seconds()) + 1)
        raise TooManyRequests(
            several(
                "Too many requests. Try again in a minute.",
                "Too many requests. Try again in {count} minutes.",
                -(-seconds // 60),
            ),
            retry_after=seconds,
        )


def per_network(what: str, most: int, seconds: int = SECONDS_PER_HOUR) -> Limit:
    """Return a limit for the network that the request comes from."""
    return Limit(f"{what} from", network(), most, seconds)


def network() -> str:
    """Return the network that the request comes from, as far as trusted proxies report it."""
    hops = [hop.strip() for each in request.headers.getlist("X-Forwarded-For") for hop in each.split(",")]
    # A web server on this machine that forwards through a socket has no address.
    nearest = request.remote_addr or "127.0.0.1"
    while hops and service().config.is_trusted_relay(nearest):
        nearest = hops.pop()
    return _network_of(nearest)


def _network_of(typed: str) -> str:
    try:
        address = ip_address(typed.strip("[]").partition("%")[0])
    except ValueError:
        return "unknown"
    address = getattr(address, "ipv4_mapped", None) or address
    return str(ip_network(f"{address}/{_NETWORK_PREFIX_BITS[address.version]}", strict=False))
