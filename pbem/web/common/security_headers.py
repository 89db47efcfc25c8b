"""What holds for every answer: known hosts only, and headers that let nothing foreign in or out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import abort, request

from pbem.i18n import marked

if TYPE_CHECKING:
    from flask import Flask, Response

    from pbem.config import Config

LOOPBACK = {"127.0.0.1", "localhost", "::1"}
WATCHED = {"/healthz", "/readyz", "/metrics"}
"""Asked by machines that know this one by its number only."""

POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; frame-src 'self'; frame-ancestors 'self'; base-uri 'none'"
)

UNUSED = (
    "camera",
    "display-capture",
    "geolocation",
    "microphone",
    "midi",
    "payment",
    "serial",
    "usb",
    "xr-spatial-tracking",
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": ", ".join(f"{feature}=()" for feature in UNUSED),
}
"""What every answer says unless its page says otherwise: nothing of ours is part of others' pages, and no address of
ours, which may hold a token, is told to them."""
STRICTLY = "max-age=31536000"
"""For a year a browser comes by TLS only; other hosts of the domain are not ours to speak for."""


def protect(app: Flask, config: Config) -> None:
    """Refuse foreign Host headers and set the headers of every answer."""
    hosts = {config.host} | (LOOPBACK if config.stays_here else set())

    @app.before_request
    def only_our_addresses() -> None:
        name = request.host.rpartition(":")[0] if request.host.rpartition(":")[2].isdigit() else request.host
        if name.strip("[]").lower() not in hosts and request.path not in WATCHED:
            abort(421, description=marked("This address is not served here."))
        if "\0" in request.path:
            # No name of anything here holds one, and the database would not even look for it.
            abort(404)

    @app.after_request
    def close_the_shutters(response: Response) -> Response:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        if config.base_url.startswith("https:"):
            response.headers.setdefault("Strict-Transport-Security", STRICTLY)
        if not request.path.startswith("/static/"):
            response.headers.setdefault("Cache-Control", "no-store")
            response.headers.setdefault("X-Robots-Tag", "noindex")
        return response
