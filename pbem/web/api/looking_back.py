"""API of looking back at a finished match."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marshmallow import Schema, fields, validate

from pbem.i18n import _, marked
from pbem.play.accounts import api_keys
from pbem.play.analysis import looking_back, requests
from pbem.play.analysis.looking_back import CHANCE, KIND, POINTS
from pbem.play.matches.match_state import load_log
from pbem.web.api import analysis_access, auth, schemas
from pbem.web.request.context import transaction
from pbem.web.request.errors import refuse
from pbem.web.request.request_bodies import APIBlueprint

if TYPE_CHECKING:
    from pbem.db.models import Analysis
    from pbem.play.core.context import Context

api = APIBlueprint("api looking back", __name__, url_prefix="/api", description="Looking back")

NOT_ASKED = marked("No robot has looked back at this match: a player of it must ask first.")
_STEP = {"description": "step of the replay"}


class Point(Schema):
    """What the match was worth to each seat after a move; `ply` 0 is the deal."""

    ply = fields.Integer(required=True)
    step = fields.Integer(required=True, allow_none=True, metadata=_STEP)
    values = fields.List(fields.Float(), required=True, metadata={"description": "of each seat, in seat order"})


class Choice(Schema):
    """A move that could be chosen, and what it would have kept."""

    move = fields.String(required=True)
    value = fields.Float(required=True)


class TurningPoint(Schema):
    """A move that lost more than chance explains, by what its player could know; `choices` has the best first."""

    ply = fields.Integer(required=True)
    step = fields.Integer(required=True, allow_none=True, metadata=_STEP)
    seat = fields.Integer(required=True)
    played = fields.String(required=True)
    value = fields.Float(required=True)
    best = fields.String(required=True)
    best_value = fields.Float(required=True)
    error = fields.Float(required=True, metadata={"description": "standard error of the loss"})
    choices = fields.List(fields.Nested(Choice), required=True)


class Account(Schema):
    """Where a seat's result comes from: all others make up `end`."""

    seat = fields.Integer(required=True)
    start = fields.Float(required=True)
    luck = fields.Float(required=True)
    play = fields.Float(required=True)
    others = fields.Float(required=True)
    unexplained = fields.Float(required=True)
    end = fields.Float(required=True)


class Found(Schema):
    """What looking back found; values are chances of 100, or points of the game."""

    unit = fields.String(required=True, validate=validate.OneOf([CHANCE, POINTS]))
    chart = fields.List(fields.Nested(Point), required=True)
    turning_points = fields.List(fields.Nested(TurningPoint), required=True)
    account = fields.List(fields.Nested(Account), required=True)


class LookingBack(Schema):
    """Looking back at a match by a robot of an edition, and how far it has got."""

    edition = fields.Integer(required=True)
    state = fields.String(required=True, validate=validate.OneOf(analysis_access.STATES))
    steps_done = fields.Integer(required=True)
    steps = fields.Integer(required=True, metadata={"description": "0 until it has begun"})
    found = fields.Nested(Found, required=True, allow_none=True, metadata={"description": "null until it is done"})


@api.get("/matches/<match_id>/lookback")
@api.response(200, LookingBack)
@api.alt_response(202, schema=LookingBack, description="it is still being made")
@api.alt_response(404, schema=schemas.Problem, description="no such match, or nobody has asked")
def looked_back(match_id: str) -> tuple[dict[str, Any], int]:
    """Return what looking back at a finished match found."""
    with transaction() as ctx:
        match = analysis_access.readable_match(ctx, match_id, auth.reader(ctx))
        rows = looking_back.find_all(ctx, match)
        if not rows:
            refuse(404, requests.objection(match, KIND) or _(NOT_ASKED))
        # While a newer robot looks back, what an earlier one found still stands.
        return _answer(ctx, next((row for row in rows if row.result is not None), rows[0]))


@api.post("/matches/<match_id>/lookback")
@api.arguments(schemas.NoFields, required=False)
@api.response(200, LookingBack)
@api.alt_response(202, schema=LookingBack, description="it is being made")
@api.alt_response(404, schema=schemas.Problem, description="no such match, or a private one")
@api.alt_response(409, schema=schemas.Problem, description="the match is not over, or no robot can look back at it")
@api.doc(security=[{"key": [api_keys.PLAY]}])
def look_back(_wanted: dict[str, Any], match_id: str) -> tuple[dict[str, Any], int]:
    """Look back at a finished match in which the caller had a seat; anew if the robot is newer."""
    with transaction() as ctx:
        player = auth.require(ctx, api_keys.PLAY).player.id
        match = analysis_access.readable_match(ctx, match_id, player)
        return _answer(ctx, analysis_access.ask(ctx, match, KIND, player, anew=True))


def _answer(ctx: Context, row: Analysis) -> tuple[dict[str, Any], int]:
    facts = row.result
    state = analysis_access.state(row)
    data = {
        "edition": row.edition,
        "state": state,
        "steps_done": row.steps_done,
        "steps": row.steps,
        "found": None if facts is None else _with_steps(ctx, row.match_id, facts),
    }
    return data, 202 if state == analysis_access.WAITING else 200


def _with_steps(ctx: Context, match_id: str, facts: dict[str, Any]) -> dict[str, Any]:
    """Return the facts with the steps of the replay beside their plies."""
    steps = looking_back.step_numbers(load_log(ctx, match_id))
    plies = {
        name: [one | {"step": steps.get(one["ply"])} for one in facts[name]] for name in ("chart", "turning_points")
    }
    return facts | plies
