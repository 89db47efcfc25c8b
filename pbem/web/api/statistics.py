"""API of statistics of a game's matches."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields

from pbem.games import GAMES
from pbem.i18n import _
from pbem.play.archive import game_statistics
from pbem.play.archive import statistics as archive_statistics
from pbem.play.core.context import timestamp
from pbem.web.api import schemas
from pbem.web.common.messages import UNKNOWN_GAME
from pbem.web.request.context import transaction
from pbem.web.request.errors import refuse
from pbem.web.request.request_bodies import APIBlueprint

api = APIBlueprint("api statistics", __name__, url_prefix="/api", description="Statistics")

_QUARTILES = "lower quartile, median and upper quartile"


def _quartiles(of: str) -> fields.List[int]:
    return fields.List(
        fields.Integer(), required=True, allow_none=True, metadata={"description": f"{of}: {_QUARTILES}"}
    )


class Won(Schema):
    """How often a seat won."""

    seat = fields.Integer(required=True)
    alone = fields.Integer(required=True)
    shared = fields.Integer(required=True)


class Spread(Schema):
    """Distribution of points: `times` counts steps of this many points, from `first` on."""

    step = fields.Integer(required=True)
    first = fields.Integer(required=True)
    times = fields.List(fields.Integer(), required=True)


class Size(Schema):
    """Statistics of the completed matches with this many seats."""

    seats = fields.Integer(required=True)
    matches = fields.Integer(required=True)
    moves = _quartiles("moves of a match")
    seconds = _quartiles("seconds from the deal to the end")
    points = _quartiles("points of a player")
    spread = fields.Nested(Spread, required=True)
    won = fields.List(fields.Nested(Won), required=True, metadata={"description": "empty for one seat"})


class Thinking(Schema):
    """How long people took for their moves, from the start of the turn."""

    moves = fields.Integer(required=True)
    seconds = _quartiles("seconds of a move")
    within = fields.List(
        fields.Integer(),
        required=True,
        metadata={
            "description": "how many moves took less than "
            f"{', '.join(map(str, game_statistics.THINKING_TIME_BOUNDS))} seconds, "
            "each without the ones before; the last counts the rest"
        },
    )


class Statistics(Schema):
    """Statistics of the newest public matches of a game, without imported and practice matches."""

    game = fields.String(required=True)
    at = schemas.moment("when this was computed", allow_none=True)
    matches = fields.Integer(required=True)
    at_most = fields.Integer(required=True, metadata={"description": "maximum number of matches counted"})
    endings = fields.Dict(required=True, keys=fields.String(), values=fields.Integer())
    sizes = fields.List(fields.Nested(Size), required=True)
    thinking = fields.Nested(Thinking, required=True)


@api.get("/games/<game>/statistics")
@api.response(200, Statistics)
@api.alt_response(404, schema=schemas.Problem, description="no such game")
def statistics(game: str) -> dict[str, Any]:
    """Show the statistics of a game's finished matches."""
    if game not in GAMES:
        refuse(404, _(UNKNOWN_GAME))
    with transaction() as ctx:
        found = archive_statistics.for_game(ctx, game)
    if found is None or not found.data:
        return {"game": game, "at": None, **game_statistics.EMPTY}
    return {"game": game, "at": timestamp(found.computed_at), **found.data}
