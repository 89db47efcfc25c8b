"""Allowed hosts, and the security headers of every response."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import abort, request

from pbem.i18n import marked

if TYPE_CHECKING:
    from flask import Flask, Response

    from pbem.config import Config

LOOPBACK_HOSTS = {"127.0.0.1", "localhost", "::1"}
MONITORING_PATHS = {"/healthz", "/readyz", "/metrics"}
"""Paths for monitoring, which knows this host by its IP address only."""

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "worker-src 'self'; manifest-src 'self'; form-action 'self'; frame-src 'self'; frame-ancestors 'self'; "
    "base-uri 'none'"
)

HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=(), midi=(), payment=(), "
    "serial=(), usb=(), xr-spatial-tracking=()",
}
"""Headers of every response unless its page sets them: other sites cannot embed our pages, and are not told our
URLs, which may contain a token.
"""
STRICT_TRANSPORT_SECURITY = "max-age=31536000"
"""HTTPS only for a year; without subdomains, which may not be ours."""


def init_app(app: Flask, config: Config) -> None:
    """Refuse foreign Host headers, and set the headers of every response."""
    hosts = {config.host} | (LOOPBACK_HOSTS if config.is_mail_local else set())

    @app.before_request
    def check_host() -> None:
        name = request.host.rpartition(":")[0] if request.host.rpartition(":")[2].isdigit() else request.host
        if name.strip("[]").lower() not in hosts and request.path not in MONITORING_PATHS:
            abort(421, description=marked("This host is not served here."))
        if "\0" in request.path:
            # No name contains NUL, and the database refuses to search for one.
            abort(404)

    @app.after_request
    def set_headers(response: Response) -> Response:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        if config.base_url.startswith("https:"):
            response.headers.setdefault("Strict-Transport-Security", STRICT_TRANSPORT_SECURITY)
        if not request.path.startswith("/static/"):
            response.headers.setdefault("Cache-Control", "no-store")
            response.headers.setdefault("X-Robots-Tag", "noindex")
        return response
