"""API of matches: creating, public views and records."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Response, json

from pbem.games.hidden import Eye
from pbem.play.accounts import api_keys
from pbem.play.archive import records
from pbem.play.lifecycle import create
from pbem.play.matches.match_state import course_of
from pbem.play.matches.views import names_of, shown, shown_before_start
from pbem.web.api import auth, schemas
from pbem.web.common import lookup
from pbem.web.common.context import service, transaction
from pbem.web.common.errors import refuse
from pbem.web.common.read_replica import may_be_older, settled
from pbem.web.common.request_bodies import Part

if TYPE_CHECKING:
    from pbem.db.models import Match
    from pbem.games import Seat
    from pbem.play.core.context import Context
    from pbem.play.lifecycle.create import Guest


api = Part("api matches", __name__, url_prefix="/api", description="Matches")


@api.post("/matches")
@api.arguments(schemas.NewMatch)
@api.response(201, schemas.Made)
@api.alt_response(401, schema=schemas.Problem, description="nobody is signed in")
@api.alt_response(403, schema=schemas.Problem, description="the key lacks the scope")
@api.doc(security=[{"key": [api_keys.START]}])
def make_match(wanted: dict[str, Any]) -> dict[str, Any]:
    """Create a match; every seat is mailed an invitation, and the caller's own has accepted."""
    guests = [guest_of(one) for one in wanted["seats"]]
    terms = {term: wanted[term] for term in ("public", "clock", "on_time", "reliable", "rated", "words")}
    with transaction() as ctx:
        try:
            match = create.make(ctx, wanted["game"], wanted["options"], guests, **terms, **auth.host_of(ctx, guests))
        except create.MatchError as refused:
            refuse(422, str(refused), {"json": {refused.field: [str(refused)]}})
        return {
            "id": match.id,
            "url": f"{service().config.base_url}/matches/{match.id}",
            "commitment": match.commitment.hex(),
            "head": match.head.hex(),
        }


@api.get("/matches/<match_id>")
@api.response(200, schemas.View)
@api.alt_response(404, schema=schemas.Problem, description="no such match, or a private one")
def public_view(match_id: str) -> dict[str, Any]:
    """Show a public match as spectators see it."""
    with transaction() as ctx:
        return seen(ctx, lookup.public_match(ctx, match_id), None)


@api.get("/matches/<match_id>/record")
@api.response(200, {"type": "object"}, description="a record, as docs/records.md describes it")
@api.alt_response(404, schema=schemas.Problem, description="no such match, a private one, or not over yet")
@may_be_older
def record(match_id: str) -> Response:
    """Return the record of a finished match."""
    with transaction() as ctx:
        found = lookup.open_match(ctx, match_id)
        settled(found)
        try:
            data = records.record_of(ctx, found).data()
        except records.NoRecordYetError as early:
            refuse(404, str(early))
    return Response(json.dumps(data, ensure_ascii=False), content_type="application/json")


def guest_of(wanted: dict[str, Any]) -> Guest | None:
    """Return the invitee of a seat; None if anyone may take it."""
    if wanted["bot"]:
        return create.ROBOT
    return None if wanted["open"] else create.Guest(wanted["name"], wanted["email"])


def seen(ctx: Context, match: Match, seat: Seat | None) -> dict[str, Any]:
    """Return the view of a match for a seat, or for spectators."""
    names = names_of(ctx, match)
    if match.seed is None:
        return shown_before_start(match, seat, names)
    return shown(course_of(ctx, match), Eye.PUBLIC if seat is None else seat, names)
