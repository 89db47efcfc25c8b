"""Live updates of a match: server-sent events when its page has changed.

Each request is answered and closed at once, because an open stream would occupy one of the few threads of a process.
"""

from __future__ import annotations

from flask import Blueprint, Response, abort, request

from pbem.play.core.context import read_only
from pbem.play.matches import spectating
from pbem.web.common.messages import UNKNOWN_MATCH
from pbem.web.request.context import service

pages = Blueprint("live", __name__)

RETRY_MILLISECONDS = 4000
"""Milliseconds after which a browser asks again."""
_MAX_MARK_LENGTH = 60


@pages.get("/matches/<match_id>/live")
def live(match_id: str) -> Response:
    """Send an event if a match has changed since the last request; 204 once it is over."""
    with read_only(service().engine, service().config) as ctx:
        newest = spectating.current_version(ctx, match_id)
    if newest is None:
        abort(404, description=UNKNOWN_MATCH)
    known = request.headers.get("Last-Event-ID") or request.args.get("since", "")
    if known == newest.mark and newest.over:
        return Response(status=204)
    lines = [f"retry: {RETRY_MILLISECONDS}", ""]
    if known[:_MAX_MARK_LENGTH] != newest.mark:
        lines += ["event: changed", f"id: {newest.mark}", "data: changed", ""]
    return Response("\n".join([*lines, ""]), content_type="text/event-stream; charset=utf-8")
