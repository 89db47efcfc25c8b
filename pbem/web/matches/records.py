"""Records of matches: a match's as text, their format, and how to get and check them."""

from __future__ import annotations

from flask import Blueprint, Response, abort, current_app, render_template

from pbem.play.archive import records
from pbem.web.common import lookup
from pbem.web.request.context import transaction
from pbem.web.request.read_replica import may_use_replica

pages = Blueprint("records", __name__)


@pages.get("/records")
def about() -> str:
    """Show what records are, and what can be done with them."""
    return render_template("matches/records.html")


@pages.get("/matches/<match_id>/record.txt")
@may_use_replica
def text(match_id: str) -> Response:
    """Return the record of a finished match as text."""
    with transaction() as ctx:
        found = lookup.open_match(ctx, match_id)
        try:
            response = Response(records.render_text(ctx, found), mimetype="text/plain")
        except records.NoRecordYetError as error:
            abort(404, description=str(error))
    response.headers["Content-Disposition"] = f'inline; filename="{found.game}-{found.id}.txt"'
    return response


@pages.get("/record.schema.json")
def schema() -> Response:
    """Return the JSON Schema of records."""
    return current_app.send_static_file("record.schema.json")
