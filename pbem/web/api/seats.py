"""API of seats behind their links: the view, moves and submissions."""

from __future__ import annotations

from typing import Any

from pbem.db.models import Submission
from pbem.games import Seat
from pbem.i18n import marked
from pbem.play.core import tokens
from pbem.play.lifecycle import held_moves
from pbem.play.submissions import queue
from pbem.web.api import schemas
from pbem.web.api.matches import view_data
from pbem.web.common import lookup
from pbem.web.request.context import transaction
from pbem.web.request.errors import refuse
from pbem.web.request.request_bodies import APIBlueprint

api = APIBlueprint("api seats", __name__, url_prefix="/api", description="Seats")


@api.get("/seats/<token>")
@api.response(200, schemas.View)
@api.alt_response(404, schema=schemas.Problem, description="no such link")
def seat_view(token: str) -> dict[str, Any]:
    """Show a match as its seat sees it; a link of an earlier stage shows what spectators see, if they may."""
    with transaction() as ctx:
        found, match = lookup.link_and_match(ctx, token)
        if tokens.is_of_current_stage(found, match):
            return view_data(ctx, match, Seat(found.holder.seat))
        lookup.check_table(ctx, match)
        return view_data(ctx, match, None)


@api.post("/seats/<token>/moves")
@api.arguments(schemas.NewMove)
@api.response(202, schemas.Taken)
@api.alt_response(404, schema=schemas.Problem, description="no such link")
def send_move(wanted: dict[str, Any], token: str) -> dict[str, Any]:
    """Send a move; it is stored when this is answered, and judged in a moment."""
    with transaction() as ctx:
        found = lookup.link(ctx, token)
        return {"submission": queue.send_move(ctx, found, queue.API, wanted["ply"], wanted["move"])}


@api.get("/submissions/<submission>")
@api.response(200, schemas.Verdict)
@api.alt_response(404, schema=schemas.Problem, description="no such submission")
def verdict(submission: str) -> dict[str, Any]:
    """Show the state of a submission."""
    with transaction() as ctx:
        found = queue.find_status(ctx, submission)
        if found is None:
            refuse(404, marked("There is no such submission."))
        return {"status": found.status, "reason": found.reason}


@api.delete("/submissions/<submission>")
@api.response(200, schemas.Verdict)
@api.alt_response(404, schema=schemas.Problem, description="no such submission")
@api.alt_response(409, schema=schemas.Problem, description="the move is not held")
def take_back(submission: str) -> dict[str, Any]:
    """Withdraw a move that is held because of its player's undo window, before it is played."""
    with transaction() as ctx:
        found = ctx.session.get(Submission, submission)
        if found is None:
            refuse(404, marked("There is no such submission."))
        if not held_moves.undo(ctx, found):
            refuse(409, marked("This move is no longer held, so you cannot take it back."), code="not-held")
        return {"status": found.status, "reason": found.reason}
