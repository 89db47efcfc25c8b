"""Responses with feeds and calendars, and the permanent names of what they list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Response, request

from pbem.web.request.context import service

if TYPE_CHECKING:
    from datetime import datetime

ATOM = "application/atom+xml; charset=utf-8"

_TAG_YEAR = 2026
"""Year in the ids of entries (RFC 4151); it never changes."""


def entry_id(*parts: str) -> str:
    """Return the id of a feed, or of an entry of one."""
    return f"tag:{service().config.host},{_TAG_YEAR}:{'/'.join(parts)}"


def respond(body: bytes, content_type: str, updated: datetime | None = None) -> Response:
    """Return the response with a feed, or a 304 if its reader has it already."""
    response = Response(body, content_type=content_type)
    response.headers["Cache-Control"] = "private, no-cache"
    response.last_modified = updated
    response.add_etag()
    response.make_conditional(request)
    return response
