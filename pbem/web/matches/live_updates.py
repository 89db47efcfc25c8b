"""Live updates of a match: server-sent events when its page has changed.

Each request is answered and closed at once, because an open stream would occupy one of the few threads of a process.
"""

from __future__ import annotations

from flask import Blueprint, Response, abort, request

from pbem.play.core import tokens
from pbem.play.core.context import read_only
from pbem.play.matches import spectating
from pbem.states import MatchState
from pbem.web.common import lookup
from pbem.web.common.messages import UNKNOWN_MATCH
from pbem.web.common.seat_link import holds_seat
from pbem.web.request.context import service

pages = Blueprint("live", __name__)

RETRY_MILLISECONDS = 4000
"""Milliseconds after which a browser asks again."""
_MAX_MARK_LENGTH = 100


@pages.get("/matches/<match_id>/live")
def live(match_id: str) -> Response:
    """Send an event if a match has changed since the last request; 204 once it is over."""
    with read_only(service().engine, service().config) as ctx:
        newest = spectating.current_version(ctx, match_id)
    if newest is None:
        abort(404, description=UNKNOWN_MATCH)
    return _events(newest.mark, over=newest.over)


@pages.get("/m/<token>/live")
def seat(token: str) -> Response:
    """Send an event if the match of a seat, its chat or its offers have changed; 204 once the match is over."""
    with read_only(service().engine, service().config) as ctx:
        found, match = lookup.link_and_match(ctx, token)
        is_own = holds_seat(ctx, found.holder) or tokens.is_current(ctx, found, match)
        mark = spectating.seat_version(ctx, match) if is_own else spectating.version_mark(match)
        return _events(mark, over=match.state == MatchState.OVER)


def _events(newest: str, *, over: bool) -> Response:
    known = request.headers.get("Last-Event-ID") or request.args.get("since", "")
    if known == newest and over:
        return Response(status=204)
    lines = [f"retry: {RETRY_MILLISECONDS}", ""]
    if known[:_MAX_MARK_LENGTH] != newest:
        lines += ["event: changed", f"id: {newest}", "data: changed", ""]
    return Response("\n".join([*lines, ""]), content_type="text/event-stream; charset=utf-8")
