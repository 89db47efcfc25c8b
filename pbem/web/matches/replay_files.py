"""Replay files: a finished match in one file, and the file that opens any record."""

from __future__ import annotations

from flask import Blueprint, Response, abort

from pbem.play.archive import records
from pbem.records.page import contents_of, policy, replay_page, source_of, viewer_page
from pbem.web.common import lookup, throttling
from pbem.web.common.context import transaction
from pbem.web.common.read_replica import may_be_older, settled

pages = Blueprint("replay_files", __name__)

AN_HOUR = 40
"""Maximum files per network and hour: one takes as long to make as dozens of pages."""


@pages.get("/matches/<match_id>/replay.html")
@may_be_older
def replay(match_id: str) -> Response:
    """Return a finished match as one file."""
    with transaction() as ctx:
        found = lookup.open_match(ctx, match_id)
        settled(found)
        throttling.spend(ctx, throttling.from_here("replay", AN_HOUR))
        try:
            source = source_of(ctx, found)
        except records.NoRecordYetError as early:
            abort(404, description=str(early))
    return _file(replay_page(contents_of(source)), f"{found.game}-{found.id}.html")


@pages.get("/viewer.html")
def viewer() -> Response:
    """Return the file that opens any record."""
    return _file(viewer_page(), "viewer.html")


def _file(page: str, name: str) -> Response:
    """Return a page as a download; where a browser shows it at once, the page's own policy applies."""
    response = Response(page)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    response.headers["Content-Security-Policy"] = policy(page)
    return response
