"""API of the lines of moves that the caller tried out and kept at a seat."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marshmallow import Schema, fields

from pbem.i18n import marked
from pbem.play.accounts import api_keys
from pbem.play.core.context import timestamp
from pbem.play.core.errors import Refused
from pbem.play.matches import kept_lines
from pbem.play.matches.match_state import load_match
from pbem.play.matches.views import player_names
from pbem.web.api import schemas, seat_access
from pbem.web.common import lookup
from pbem.web.request import form_fields
from pbem.web.request.context import transaction
from pbem.web.request.errors import refuse
from pbem.web.request.request_bodies import APIBlueprint

if TYPE_CHECKING:
    from pbem.db.models import Match, Token
    from pbem.play.core.context import Context

api = APIBlueprint("api lines", __name__, url_prefix="/api", description="Kept lines")


class NewLine(Schema):
    """A line that starts at the present position: moves in order, each of the seat to move."""

    moves = fields.List(
        fields.String(),
        required=True,
        metadata={"description": f"1 to {kept_lines.MAX_MOVES}, of at most {kept_lines.MAX_CHARS} characters in all"},
    )


class PlayedInstead(Schema):
    """The move that was played where the line has another one."""

    seat = fields.Integer(required=True)
    move = fields.String(required=True)


class Line(Schema):
    """A kept line: the first `played` of its moves came true; if it `is_open`, the others are still possible."""

    id = fields.Integer(required=True)
    step = fields.Integer(required=True, metadata={"description": "entries of the match's log before the line"})
    moves = fields.List(fields.String(), required=True)
    kept_at = schemas.moment()
    played = fields.Integer(required=True)
    is_open = fields.Boolean(required=True)
    instead = fields.Nested(PlayedInstead, allow_none=True, required=True)
    progress = fields.String(required=True, metadata={"description": "the same in a sentence"})


@api.get("/me/matches/<match_id>/lines")
@api.response(200, Line(many=True))
@api.alt_response(404, schema=schemas.Problem, description="the caller has no seat there")
@api.doc(security=[{"key": [api_keys.READ]}])
def my_lines(match_id: str) -> list[dict[str, Any]]:
    """List the lines that the caller keeps at their seat, the newest first; only they see them."""
    with transaction() as ctx:
        found, match = seat_access.by_key(ctx, match_id, api_keys.READ)
        return _lines_data(ctx, found, match)


@api.post("/me/matches/<match_id>/lines")
@api.arguments(NewLine)
@api.response(201, Line(many=True))
@api.alt_response(404, schema=schemas.Problem, description="the caller has no seat there")
@api.alt_response(409, schema=schemas.Problem, description="the match is not running")
@api.alt_response(422, schema=schemas.Problem, description="a move is not legal, or not known to be")
@api.doc(security=[{"key": [api_keys.PLAY]}])
def keep_line(wanted: dict[str, Any], match_id: str) -> list[dict[str, Any]]:
    """Keep a line; the oldest is forgotten if there are too many."""
    with transaction() as ctx:
        found, _match = seat_access.by_key(ctx, match_id, api_keys.PLAY)
        match = lookup.lock_seat(ctx, found)
        seat_access.require_running(match)
        try:
            kept_lines.keep(ctx, load_match(ctx, match), found.holder, wanted["moves"])
        except Refused as refused:
            refuse(422, str(refused), {"json": {"moves": [str(refused)]}})
        return _lines_data(ctx, found, match)


@api.delete("/me/matches/<match_id>/lines/<line>")
@api.response(200, Line(many=True))
@api.alt_response(404, schema=schemas.Problem, description="the caller has no seat there, or no such line")
@api.doc(security=[{"key": [api_keys.PLAY]}])
def remove_line(match_id: str, line: str) -> list[dict[str, Any]]:
    """Remove a line that the caller keeps at their seat."""
    with transaction() as ctx:
        found, match = seat_access.by_key(ctx, match_id, api_keys.PLAY)
        number = form_fields.parse_number(line, form_fields.MAX_ID_DIGITS)
        if number is None or not kept_lines.remove(ctx, found.holder, number):
            refuse(404, marked("There is no such line."))
        return _lines_data(ctx, found, match)


def _lines_data(ctx: Context, found: Token, match: Match) -> list[dict[str, Any]]:
    if match.seed is None:
        return []
    course, names, seat = load_match(ctx, match), player_names(ctx, match), found.holder.seat
    return [
        {
            "id": one.row.id,
            "step": one.row.step,
            "moves": one.row.moves,
            "kept_at": timestamp(one.row.kept_at),
            "played": one.progress.played,
            "is_open": one.progress.is_open,
            "instead": one.progress.instead and {"seat": one.progress.instead[0], "move": one.progress.instead[1]},
            "progress": kept_lines.describe(one, names, seat),
        }
        for one in kept_lines.list_kept(ctx, course, found.holder)
    ]
