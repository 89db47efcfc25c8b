"""Replay files: a finished match in one file, and the file that opens any record."""

from __future__ import annotations

from flask import Blueprint, Response, abort

from pbem.play.archive import records
from pbem.records.page import build_contents, content_security_policy, load_source, replay_page, viewer_page
from pbem.web.common import lookup
from pbem.web.request import throttling
from pbem.web.request.context import transaction
from pbem.web.request.read_replica import may_use_replica

pages = Blueprint("replay_files", __name__)

MAX_FILES_PER_HOUR = 40
"""Maximum files per network and hour: one takes as long to make as dozens of pages."""


@pages.get("/matches/<match_id>/replay.html")
@may_use_replica
def replay(match_id: str) -> Response:
    """Return a finished match as one file."""
    with transaction() as ctx:
        found = lookup.open_match(ctx, match_id)
        throttling.hit(ctx, throttling.per_network("replay", MAX_FILES_PER_HOUR))
        try:
            source = load_source(ctx, found)
        except records.NoRecordYetError as error:
            abort(404, description=str(error))
    return _download(replay_page(build_contents(source)), f"{found.game}-{found.id}.html")


@pages.get("/viewer.html")
def viewer() -> Response:
    """Return the file that opens any record."""
    return _download(viewer_page(), "viewer.html")


def _download(page: str, name: str) -> Response:
    """Return a page as a download; where a browser shows it at once, the page's own policy applies."""
    response = Response(page)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    response.headers["Content-Security-Policy"] = content_security_policy(page)
    return response
