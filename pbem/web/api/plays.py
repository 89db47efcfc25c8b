"""API of one's finished matches in the form of BG Stats."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields

from pbem.play.accounts import api_keys
from pbem.play.archive import plays
from pbem.web.api import auth, schemas
from pbem.web.api.me import LINK_HEADER
from pbem.web.common import cursors
from pbem.web.common.urls import absolute_url
from pbem.web.request.context import transaction
from pbem.web.request.request_bodies import APIBlueprint

api = APIBlueprint("api plays", __name__, url_prefix="/api", description="Plays for BG Stats")


_GAME: dict[str, fields.Field[Any]] = {
    "name": fields.String(required=True),
    "sourceGameId": fields.String(required=True, metadata={"description": "the game as this API calls it"}),
    "highestWins": fields.Boolean(required=True),
    "noPoints": fields.Boolean(required=True, metadata={"description": "whether the match ended without points"}),
}
_SEAT: dict[str, fields.Field[Any]] = {
    "name": fields.String(required=True),
    "sourcePlayerId": fields.String(required=True),
    "winner": fields.Boolean(required=True),
    "startPlayer": fields.Boolean(required=True),
    "score": fields.Integer(metadata={"description": "left out where the match ended without points"}),
}
_DATA: dict[str, fields.Field[Any]] = {
    "sourceName": fields.String(required=True),
    "sourcePlayId": fields.String(required=True),
    "playDate": fields.String(
        required=True, metadata={"description": "when the match ended, in the caller's time zone"}
    ),
    "game": fields.Nested(Schema.from_dict(_GAME, name="PlayedGame"), required=True),
    "players": fields.List(fields.Nested(Schema.from_dict(_SEAT, name="PlayedSeat")), required=True),
}
"""A play as BG Stats documents it."""


class Play(Schema):
    """A finished match of the caller, and the link that opens the app with it."""

    match = fields.String(required=True)
    play = fields.Nested(Schema.from_dict(_DATA, name="PlayData"), required=True)
    url = fields.String(required=True)


@api.get("/me/plays")
@api.arguments(schemas.MatchesPage, location="query")
@api.response(200, Play(many=True), headers={"Link": LINK_HEADER})
@api.doc(security=[{"key": [api_keys.READ]}])
def my_plays(wanted: dict[str, Any]) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """List the caller's finished matches in the form of BG Stats, newest first."""
    with transaction() as ctx:
        player = auth.require(ctx, api_keys.READ).player
        found = plays.list_plays(ctx, player.id, player.time_zone, cursors.decode(wanted["before"]))
    shown = found[: plays.PLAYS_PER_PAGE]
    body = [{"match": one.match, "play": one.data, "url": one.link} for one in shown]
    return body, _next_page(shown[-1]) if len(found) > len(shown) else {}


def _next_page(last: plays.Play) -> dict[str, str]:
    before = cursors.encode(last.ended_at, last.match)
    return {"Link": f'<{absolute_url("api plays.my_plays", before=before)}>; rel="next"'}
