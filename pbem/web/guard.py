"""What holds for every answer: known hosts only, and headers that let nothing foreign in or out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import abort, request

from pbem.words import marked

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
        response.headers.setdefault("Content-Security-Policy", POLICY)
        response.headers.setdefault("Referrer-Policy", "no-referrer")
        response.headers.setdefault("X-Content-Type-Options", "nosniff")
        if not request.path.startswith("/static/"):
            response.headers.setdefault("Cache-Control", "no-store")
            response.headers.setdefault("X-Robots-Tag", "noindex")
        return response
