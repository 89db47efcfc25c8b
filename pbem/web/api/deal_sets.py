"""API of deals that several matches share: those of fields, and how their tables compare."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import request
from marshmallow import Schema, fields, validate

from pbem.db.models import DealSet
from pbem.games import GAMES
from pbem.i18n import _
from pbem.play.core.context import timestamp
from pbem.play.deal_sets import pair_overview
from pbem.play.events import field_lists, field_sets
from pbem.play.matches.pairs import FIRST
from pbem.play.matches.views import robot_levels
from pbem.states import DealSetKind, MatchState
from pbem.web.api import auth, schemas
from pbem.web.common import cursors
from pbem.web.common.messages import UNKNOWN_SET
from pbem.web.common.urls import absolute_url
from pbem.web.request.context import transaction
from pbem.web.request.errors import refuse
from pbem.web.request.read_replica import may_use_replica
from pbem.web.request.request_bodies import APIBlueprint

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pbem.play.core.context import Context
    from pbem.play.deal_sets.pair_overview import PairMatch
    from pbem.play.events.field_sets import FieldTable, SeatAtTable

api = APIBlueprint("api sets", __name__, url_prefix="/api", description="Shared deals")

PAGE_SIZE = 30
"""Maximum deals in an answer."""
_ONCE_OPEN = "null until the deal is open"


class SetFilter(Schema):
    """Filters of the deals of fields; one that is left out matches every deal."""

    game = fields.String(load_default="", validate=validate.OneOf([*GAMES]))
    after = fields.String(load_default="", metadata={"description": "`next` of the page before"})


class SetSummary(Schema):
    """A deal that several matches share."""

    id = fields.String(required=True)
    kind = fields.String(required=True, validate=validate.OneOf(list(DealSetKind)))
    event = fields.Integer(required=True, allow_none=True, metadata={"description": "the field that it belongs to"})
    game = fields.String(required=True)
    options = fields.Dict(required=True)
    commitment = fields.String(required=True)
    created = schemas.moment("when its secret was fixed")
    opened = schemas.moment("when its cards and results became public", allow_none=True)
    url = fields.String(required=True)


class SetsPage(Schema):
    """A page of the deals of fields, newest first."""

    sets = fields.List(fields.Nested(SetSummary), required=True)
    next = fields.String(
        required=True, allow_none=True, metadata={"description": "`after` of the next page; null on the last"}
    )


class SetSeat(Schema):
    """A seat of a table, with the player who began there."""

    name = fields.String(required=True)
    robot = fields.Boolean(required=True)
    left = fields.Boolean(required=True, metadata={"description": "whether its player did not stay to the end"})
    points = fields.Integer(required=True, allow_none=True, metadata={"description": _ONCE_OPEN})
    margin = fields.Float(
        required=True, allow_none=True, metadata={"description": "the points less the mean of the others at the table"}
    )
    score = fields.Float(
        required=True,
        allow_none=True,
        metadata={"description": "the margin less the mean margin of that seat at the other tables"},
    )
    percent = fields.Float(required=True, allow_none=True, metadata={"description": "2 for each table beaten, 1 a tie"})


class SetTable(Schema):
    """A match of a shared deal, with its place among them."""

    match = fields.String(required=True)
    place = fields.Integer(required=True)
    moves = fields.Integer(required=True, metadata={"description": "how many moves have been played"})
    over = fields.Boolean(required=True)
    seats = fields.List(fields.Nested(SetSeat), required=True)


class SharedDeal(SetSummary):
    """A shared deal with its tables; `compared` once it is open and two of them were played to their end."""

    compared = fields.Boolean(required=True)
    sum = fields.List(
        fields.Integer(),
        allow_none=True,
        metadata={
            "description": "of a pair there and back: the points of each player in both matches; null until then"
        },
    )
    winner = fields.String(
        allow_none=True, metadata={"description": "of a pair: who has more points; null if none, or if it is drawn"}
    )
    matches = fields.List(fields.Nested(SetTable), required=True)


@api.get("/sets")
@api.arguments(SetFilter, location="query")
@api.response(200, SetsPage)
@may_use_replica
def every(wanted: dict[str, Any]) -> dict[str, Any]:
    """List the deals of fields, newest first."""
    after = cursors.decode(wanted["after"])
    with transaction() as ctx:
        found = field_lists.deals(ctx, PAGE_SIZE + 1, wanted["game"], after)
    shown = found[:PAGE_SIZE]
    more = len(found) > PAGE_SIZE
    return {
        "sets": [_summary(one) for one in shown],
        "next": cursors.encode(shown[-1].created_at, shown[-1].id) if more else None,
    }


@api.get("/sets/<set_id>")
@api.response(200, SharedDeal)
@api.alt_response(404, schema=schemas.Problem, description="no such deal")
@may_use_replica
def one(set_id: str) -> dict[str, Any]:
    """Show a shared deal with its tables, compared seat by seat once it is open."""
    with transaction() as ctx:
        found = ctx.session.get(DealSet, set_id)
        if found is None or found.kind not in TABLES:
            refuse(404, _(UNKNOWN_SET))
        return _summary(found) | TABLES[found.kind](ctx, found)


def _summary(found: DealSet) -> dict[str, Any]:
    return {
        "id": found.id,
        "kind": found.kind,
        "event": found.event_id,
        "game": found.game,
        "options": found.options,
        "commitment": found.commitment.hex(),
        "created": timestamp(found.created_at),
        "opened": timestamp(found.opened_at) if found.opened_at else None,
        "url": absolute_url("deal_sets.deal_set", set_id=found.id),
    }


def _field_tables(ctx: Context, found: DealSet) -> dict[str, Any]:
    _event, deal = field_sets.load_deal(ctx, found)
    return {"compared": deal.is_compared, "matches": [_table(table) for table in deal.tables]}


def _table(table: FieldTable) -> dict[str, Any]:
    return {
        "match": table.match,
        "place": table.place,
        "moves": table.moves,
        "over": table.is_over,
        "seats": [_seat(seat) for seat in table.seats],
    }


def _seat(seat: SeatAtTable) -> dict[str, Any]:
    score = seat.score
    return {
        "name": seat.name,
        "robot": seat.is_robot,
        "left": seat.left,
        "points": seat.points,
        "margin": float(score.margin) if score and score.margin is not None else None,
        "score": float(score.score) if score else None,
        "percent": float(score.percent) if score else None,
    }


def _pair_tables(ctx: Context, found: DealSet) -> dict[str, Any]:
    pair = pair_overview.load(ctx, found)
    if not pair_overview.may_see(ctx, pair, auth.reader(ctx), request.args.get("key", "")):
        refuse(404, _(UNKNOWN_SET))
    points = pair.result and pair.result.totals
    matches = [_pair_table(ctx, one) for one in pair.matches]
    return {"compared": pair.result is not None, "sum": points, "winner": pair.winner, "matches": matches}


def _pair_table(ctx: Context, one: PairMatch) -> dict[str, Any]:
    """Return a match of a pair; what it has no score for, since it is compared as a whole, is null."""
    match = one.match
    robots = robot_levels(ctx, match)
    seated = zip(one.names, one.points or (None, None), strict=True)
    seats = [*seated] if match.set_place == FIRST else [*seated][::-1]
    return {
        "match": match.id,
        "place": match.set_place,
        "moves": max(0, match.next_ply - 1),
        "over": match.state == MatchState.OVER,
        "seats": [
            {"name": name, "robot": seat in robots, "left": False, "points": points}
            | {"margin": _margin(points, one), "score": None, "percent": None}
            for seat, (name, points) in enumerate(seats, 1)
        ],
    }


def _margin(points: int | None, one: PairMatch) -> float | None:
    """Return the points that a player has more than the other one in a match."""
    return None if points is None or one.points is None else float(2 * points - sum(one.points))


TABLES: Mapping[DealSetKind, Callable[[Context, DealSet], dict[str, Any]]] = {
    DealSetKind.THERE_AND_BACK: _pair_tables,
    DealSetKind.FIELD: _field_tables,
}
"""The tables of a shared deal of each kind that is public."""
