"""API of the caller's own ratings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marshmallow import Schema, fields

from pbem.games import GAMES
from pbem.i18n import _
from pbem.play.accounts import api_keys
from pbem.play.core.context import timestamp
from pbem.play.ratings import standings
from pbem.web.api import auth, schemas
from pbem.web.common.messages import UNKNOWN_GAME
from pbem.web.request.context import transaction
from pbem.web.request.errors import refuse
from pbem.web.request.request_bodies import APIBlueprint

if TYPE_CHECKING:
    from pbem.ratings.rating import Rating

api = APIBlueprint("api ratings", __name__, url_prefix="/api", description="Your own ratings")


class RatingValue(Schema):
    """A rating in points, with its uncertainty: one standard deviation."""

    points = fields.Integer(required=True)
    margin = fields.Integer(required=True)


class OwnRating(Schema):
    """The caller's rating in a game at present."""

    game = fields.String(required=True)
    rating = fields.Nested(RatingValue, required=True)
    matches = fields.Integer(required=True, metadata={"description": "how many matches count"})
    provisional = fields.Boolean(required=True)


class RatedMatch(Schema):
    """What a match did to the caller's rating."""

    match = fields.String(required=True)
    at = schemas.moment("when it ended")
    opponents = fields.List(fields.String(), required=True)
    place = fields.Integer(required=True, metadata={"description": "1 for the best; players who tie share it"})
    before = fields.Nested(RatingValue, required=True)
    after = fields.Nested(RatingValue, required=True)


@api.get("/me/ratings")
@api.response(200, OwnRating(many=True))
@api.doc(security=[{"key": [api_keys.READ]}])
def my_ratings() -> list[dict[str, Any]]:
    """List the caller's ratings, those with the most matches first."""
    with transaction() as ctx:
        found = standings.for_player(ctx, auth.require(ctx, api_keys.READ).player.id)
    return [
        {
            "game": one.game,
            "rating": _rating_data(one.rating),
            "matches": one.matches,
            "provisional": one.provisional,
        }
        for one in found
    ]


@api.get("/me/ratings/<game>")
@api.response(200, RatedMatch(many=True))
@api.alt_response(404, schema=schemas.Problem, description="no such game")
@api.doc(security=[{"key": [api_keys.READ]}])
def my_rated_matches(game: str) -> list[dict[str, Any]]:
    """List the last 200 changes of the caller's rating in a game, newest first."""
    with transaction() as ctx:
        player = auth.require(ctx, api_keys.READ).player.id
        if game not in GAMES:
            refuse(404, _(UNKNOWN_GAME))
        changes = standings.list_changes(ctx, player, game)
    return [
        {
            "match": one.match,
            "at": timestamp(one.at),
            "opponents": list(one.opponents),
            "place": one.place,
            "before": _rating_data(one.before),
            "after": _rating_data(one.after),
        }
        for one in changes
    ]


def _rating_data(rating: Rating) -> dict[str, int]:
    return {"points": rating.points, "margin": rating.margin}
