"""API of what ends a match and what follows: resigning, and a rematch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marshmallow import fields, validate

from pbem.play.accounts import api_keys
from pbem.play.core.errors import Refused
from pbem.play.lifecycle import rematches
from pbem.play.submissions import queue
from pbem.states import MatchState
from pbem.web.api import auth, schemas, seat_access
from pbem.web.api.matches import created_data
from pbem.web.request.context import transaction
from pbem.web.request.errors import refuse_with
from pbem.web.request.request_bodies import APIBlueprint

if TYPE_CHECKING:
    from pbem.db.models import Match, Player, Token
    from pbem.play.core.context import Context

api = APIBlueprint("api endings", __name__, url_prefix="/api", description="Resigning and rematches")


class Rematch(schemas.Made):
    """The rematch of a match, in which the caller has accepted their seat."""

    seat = fields.Integer(required=True, allow_none=True, metadata={"description": "null if others play it"})
    state = fields.String(required=True, validate=validate.OneOf(list(MatchState)))


@api.post("/me/matches/<match_id>/resign")
@api.arguments(schemas.NoFields, required=False)
@api.response(202, schemas.Taken)
@api.alt_response(404, schema=schemas.Problem, description="the caller has no seat there")
@api.alt_response(409, schema=schemas.Problem, description="the match is not running")
@api.doc(security=[{"key": [api_keys.PLAY]}])
def resign_mine(_wanted: dict[str, Any], match_id: str) -> dict[str, Any]:
    """Resign a running match, without a further question; it is judged in a moment."""
    with transaction() as ctx:
        return _resign(ctx, *seat_access.by_key(ctx, match_id, api_keys.PLAY))


@api.post("/seats/<token>/resign")
@api.arguments(schemas.NoFields, required=False)
@api.response(202, schemas.Taken)
@api.alt_response(404, schema=schemas.Problem, description="no such link, or one of an earlier turn")
@api.alt_response(409, schema=schemas.Problem, description="the match is not running")
def resign(_wanted: dict[str, Any], token: str) -> dict[str, Any]:
    """Resign a running match, without a further question; it is judged in a moment."""
    with transaction() as ctx:
        return _resign(ctx, *seat_access.by_token(ctx, token))


@api.post("/me/matches/<match_id>/rematch")
@api.arguments(schemas.NoFields, required=False)
@api.response(201, Rematch)
@api.alt_response(404, schema=schemas.Problem, description="the caller has no seat there")
@api.alt_response(409, schema=schemas.Problem, description="there can be no rematch")
@api.doc(security=[{"key": [api_keys.START]}])
def rematch_mine(_wanted: dict[str, Any], match_id: str) -> dict[str, Any]:
    """Create the rematch of a match that is over, or accept the one that another player has created."""
    with transaction() as ctx:
        found, match = seat_access.by_key(ctx, match_id, api_keys.START)
        return _request_rematch(ctx, match, found.holder.player)


@api.post("/seats/<token>/rematch")
@api.arguments(schemas.NoFields, required=False)
@api.response(201, Rematch)
@api.alt_response(404, schema=schemas.Problem, description="no such link, or one of an earlier turn")
@api.alt_response(409, schema=schemas.Problem, description="there can be no rematch")
def rematch(_wanted: dict[str, Any], token: str) -> dict[str, Any]:
    """Create the rematch of a match that is over, or accept the one that another player has created."""
    with transaction() as ctx:
        found, match = seat_access.by_token(ctx, token)
        return _request_rematch(ctx, match, found.holder.player)


def _resign(ctx: Context, found: Token, match: Match) -> dict[str, Any]:
    seat_access.require_running(match)
    return {"submission": queue.send_resignation(ctx, found)}


def _request_rematch(ctx: Context, match: Match, player: Player) -> dict[str, Any]:
    auth.count_match(ctx, player)
    try:
        made = rematches.request(ctx, match, player)
    except Refused as refused:
        refuse_with(refused)
    own = rematches.find_seat(ctx, made, player)
    return created_data(made) | {"seat": own and own.seat, "state": made.state}
