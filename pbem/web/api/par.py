"""API of par: what the strong robot makes of the cards of a finished match."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marshmallow import Schema, fields

from pbem.i18n import _, marked
from pbem.play.accounts import api_keys
from pbem.play.analysis import comparison, par_history, requests
from pbem.play.core.context import timestamp
from pbem.robots.analyses import PAR
from pbem.web.api import analysis_access, auth, schemas
from pbem.web.api.me import LINK_HEADER
from pbem.web.common import cursors
from pbem.web.common.messages import UNKNOWN_MATCH
from pbem.web.common.urls import absolute_url
from pbem.web.request.context import transaction
from pbem.web.request.errors import refuse
from pbem.web.request.request_bodies import APIBlueprint

if TYPE_CHECKING:
    from pbem.db.models import Match
    from pbem.play.core.context import Context

api = APIBlueprint("api par", __name__, url_prefix="/api", description="You and the robot")

NOBODY_ASKED = marked("Nobody has asked the robot about this match yet.")


class Compared(Schema):
    """A seat that a person held: what the robot made there on average, and what the person made."""

    seat = fields.Integer(required=True)
    mean = fields.Float(required=True, metadata={"description": "points of the robot, on average of its plays"})
    wins = fields.Integer(required=True, metadata={"description": "plays that the robot won, alone or with others"})
    points = fields.Integer(
        required=True, allow_none=True, metadata={"description": "null if the match did not end by the rules"}
    )
    difference = fields.Float(required=True, allow_none=True)


class Par(Schema):
    """Par of a match, or how far it has got: `steps_done` of `steps`, 0 before it was begun."""

    state = fields.String(required=True, metadata={"enum": [*analysis_access.STATES]})
    steps_done = fields.Integer(required=True)
    steps = fields.Integer(required=True)
    level = fields.String(required=True, allow_none=True, metadata={"description": "level of the robot"})
    edition = fields.Integer(required=True, metadata={"description": "edition of the robot"})
    plays = fields.List(
        fields.List(fields.Integer()), required=True, metadata={"description": "points of each play, in seat order"}
    )
    seats = fields.List(fields.Nested(Compared), required=True)


class Deal(Schema):
    """A match of the caller with par."""

    match = fields.String(required=True)
    game = fields.String(required=True)
    seat = fields.Integer(required=True)
    ended = schemas.moment()
    points = fields.Integer(required=True)
    plays = fields.Integer(required=True, metadata={"description": "number of the robot's plays"})
    mean = fields.Float(required=True, metadata={"description": "points of the robot, on average of its plays"})
    difference = fields.Float(required=True)


class Total(Schema):
    """What the caller's matches of a game with par come to."""

    game = fields.String(required=True)
    matches = fields.Integer(required=True)
    difference = fields.Float(required=True, metadata={"description": "points more than the robot's, on average"})


class Deals(Schema):
    """A page of the caller's matches with par, newest first; `totals` are of all of them."""

    totals = fields.List(fields.Nested(Total), required=True)
    deals = fields.List(fields.Nested(Deal), required=True)


@api.get("/matches/<match_id>/par")
@api.response(200, Par)
@api.alt_response(202, schema=Par, description="the robot still plays")
@api.alt_response(404, schema=schemas.Problem, description="no such match, or nobody has asked for its par")
def par(match_id: str) -> tuple[dict[str, Any], int]:
    """Show the par of a finished match, or how far it has got."""
    with transaction() as ctx:
        match = analysis_access.readable_match(ctx, match_id, auth.reader(ctx))
        found = _par_data(ctx, match)
        if found is None:
            refuse(404, requests.objection(match, PAR) or _(NOBODY_ASKED))
        return found, 202 if found["state"] == analysis_access.WAITING else 200


@api.post("/matches/<match_id>/par")
@api.arguments(schemas.NoFields, required=False)
@api.response(200, Par)
@api.alt_response(202, schema=Par, description="the robot plays; ask again with GET")
@api.alt_response(404, schema=schemas.Problem, description="the caller has, and had, no seat there")
@api.alt_response(409, schema=schemas.Problem, description="the robot does not look at this match")
@api.doc(security=[{"key": [api_keys.PLAY]}])
def ask(_wanted: dict[str, Any], match_id: str) -> tuple[dict[str, Any], int]:
    """Ask the robot to play the cards of a finished match of the caller."""
    with transaction() as ctx:
        player = auth.require(ctx, api_keys.PLAY).player.id
        match = analysis_access.readable_match(ctx, match_id, player)
        if not requests.has_sat(ctx, match, player):
            refuse(404, UNKNOWN_MATCH)
        analysis_access.ask(ctx, match, PAR, player)
        found = _par_data(ctx, match) or {}
        return found, 202 if found["state"] == analysis_access.WAITING else 200


@api.get("/me/deals")
@api.arguments(schemas.MatchesPage, location="query")
@api.response(200, Deals, headers={"Link": LINK_HEADER})
@api.doc(security=[{"key": [api_keys.READ]}])
def my_deals(wanted: dict[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """List the caller's matches with par, newest first, and what they come to in each game."""
    with transaction() as ctx:
        player = auth.require(ctx, api_keys.READ).player.id
        found = par_history.deals(ctx, player, cursors.decode(wanted["before"]))
        shown = found[: par_history.DEALS_PER_PAGE]
        totals = [
            {"game": one.game, "matches": one.matches, "difference": one.difference}
            for one in par_history.totals(ctx, player)
        ]
        body = {"totals": totals, "deals": [_deal_data(one) for one in shown]}
        return body, _next_page(shown[-1].match) if len(found) > len(shown) else {}


def _par_data(ctx: Context, match: Match) -> dict[str, Any] | None:
    found = requests.find(ctx, match, PAR)
    if found is None:
        return None
    result = found.result or {}
    return {
        "state": analysis_access.state(found),
        "steps_done": found.steps_done,
        "steps": found.steps,
        "level": result.get("level"),
        "edition": found.edition,
        "plays": result.get("plays", []),
        "seats": [
            {
                "seat": one.seat,
                "mean": one.mean,
                "wins": one.wins,
                "points": one.points,
                "difference": one.difference,
            }
            for one in (comparison.of_match(ctx, match, found) if result else ())
        ],
    }


def _deal_data(deal: par_history.Deal) -> dict[str, Any]:
    match, compared = deal.match, deal.compared
    return {
        "match": match.id,
        "game": match.game,
        "seat": compared.seat,
        "ended": timestamp(match.ended_at) if match.ended_at else None,
        "points": compared.points,
        "plays": compared.plays,
        "mean": compared.mean,
        "difference": compared.difference,
    }


def _next_page(last: Match) -> dict[str, str]:
    before = cursors.encode(last.ended_at, last.id) if last.ended_at else ""
    return {"Link": f'<{absolute_url("api par.my_deals", before=before)}>; rel="next"'}
