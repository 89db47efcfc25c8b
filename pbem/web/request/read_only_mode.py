"""Read-only mode while a disk is full: every request that is not a read gets a 503."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import request
from werkzeug.exceptions import ServiceUnavailable

from pbem.db import disk_check
from pbem.i18n import _
from pbem.play.upkeep.disk_full import READ_ONLY_NOTICE
from pbem.web.request.context import service

if TYPE_CHECKING:
    from flask import Flask

SAFE_METHODS = {"GET", "HEAD", "OPTIONS"}
RETRY_AFTER_SECONDS = 60
"""Seconds until a retry; a disk is not emptied in a moment."""
EXEMPT_BLUEPRINTS = {"inbound_mail"}
"""Blueprints that answer for a full disk in their own words."""


def init_app(app: Flask) -> None:
    """Refuse requests that would store something, and announce it on every page."""

    @app.before_request
    def reject_writes() -> None:
        if (
            request.method not in SAFE_METHODS
            and request.blueprint not in EXEMPT_BLUEPRINTS
            and disk_check.is_full(service().config)
        ):
            raise unavailable_error()

    @app.context_processor
    def warning() -> dict[str, str]:
        return {"shortage": _(READ_ONLY_NOTICE) if disk_check.is_full(service().config) else ""}


def unavailable_error() -> ServiceUnavailable:
    """Return the error that nothing can be stored."""
    return ServiceUnavailable(READ_ONLY_NOTICE, retry_after=RETRY_AFTER_SECONDS)
