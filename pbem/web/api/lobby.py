"""API of the lobby: listing the open tables, and joining one."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields, validate

from pbem.games import GAMES
from pbem.play.accounts import api_keys
from pbem.play.clocks.time_controls import PRESETS
from pbem.play.core.context import timestamp
from pbem.play.core.errors import Refused
from pbem.play.lobby import joining, open_tables, seating
from pbem.web.api import auth, schemas
from pbem.web.api.invitations import MAX_ENTROPY_CHARS, AcceptedSeat, NewAcceptance, seat_data
from pbem.web.common import cursors
from pbem.web.common.messages import UNKNOWN_TABLE
from pbem.web.request.context import service, transaction
from pbem.web.request.errors import refuse, refuse_with
from pbem.web.request.read_replica import may_use_replica
from pbem.web.request.request_bodies import APIBlueprint

api = APIBlueprint("api lobby", __name__, url_prefix="/api", description="Lobby")

MAX_SEATS = 12
PAGE_SIZE = 30
"""Maximum tables in an answer."""


class TableFilter(Schema):
    """Filters of the lobby; one that is left out matches every table."""

    game = fields.String(load_default="", validate=validate.OneOf([*GAMES]))
    seats = fields.Integer(load_default=None, validate=validate.Range(min=2, max=MAX_SEATS))
    clock = fields.String(load_default="", validate=validate.OneOf([*PRESETS]))
    after = fields.String(load_default="", metadata={"description": "`next` of the page before"})


class OpenTable(Schema):
    """A table that anyone may join."""

    match = fields.String(required=True)
    game = fields.String(required=True)
    options = fields.Dict(required=True)
    seats = fields.Integer(required=True, metadata={"description": "number of seats, with those that are taken"})
    players = fields.Dict(
        keys=fields.String(), values=fields.String(), required=True, metadata={"description": "names by taken seat"}
    )
    robots = schemas.robots()
    clock = fields.String(required=True)
    on_time = fields.String(required=True)
    reliable = fields.Integer(required=True, allow_none=True)
    bots = schemas.bot_policy(required=True)
    rated = fields.Boolean(required=True, metadata={"description": "whether the result is meant to be rated"})
    since = schemas.moment()
    url = fields.String(required=True)


class Lobby(Schema):
    """A page of the open tables, newest first."""

    tables = fields.List(fields.Nested(OpenTable), required=True)
    next = fields.String(
        required=True, allow_none=True, metadata={"description": "`after` of the next page; null on the last"}
    )


class WantedSeat(Schema):
    """A seat at any open table, or at one of a game."""

    game = fields.String(load_default="", validate=validate.OneOf([*GAMES]))
    entropy = fields.String(
        load_default="",
        validate=[validate.Length(max=MAX_ENTROPY_CHARS), schemas.check_storable],
        metadata={"description": "a text of the player's own for the deal, if a table is joined"},
    )


class FoundSeat(AcceptedSeat):
    """The seat that was found, at a table that was joined or opened."""

    opened = fields.Boolean(
        required=True, metadata={"description": "whether the table was opened, since no other one had a seat"}
    )


@api.get("/lobby")
@api.arguments(TableFilter, location="query")
@api.response(200, Lobby)
@may_use_replica
def tables(wanted: dict[str, Any]) -> dict[str, Any]:
    """List the open tables that anyone may join."""
    after = cursors.decode(wanted.pop("after"))
    with transaction() as ctx:
        page = open_tables.list_page(
            ctx,
            open_tables.TableFilter(**wanted),
            open_tables.Cursor(*after) if after else None,
            most=PAGE_SIZE,
            reader=auth.reader(ctx),
        )
    return {
        "tables": [_table_data(one) for one in page.tables],
        "next": cursors.encode(page.after.at, page.after.match) if page.after else None,
    }


@api.post("/lobby/<table>/join")
@api.arguments(NewAcceptance, required=False)
@api.response(201, AcceptedSeat)
@api.alt_response(404, schema=schemas.Problem, description="no such table, or a private one without its code")
@api.alt_response(409, schema=schemas.Problem, description="no seat is open, or the caller cannot take it")
@api.doc(security=[{"key": [api_keys.START]}])
def join(wanted: dict[str, Any], table: str) -> dict[str, Any]:
    """Join an open table by its match's id, or any table by the code of its invitation link."""
    entropy = wanted["entropy"].strip()
    with transaction() as ctx:
        player = auth.require(ctx, api_keys.START).player
        match = open_tables.find_for_join_page(ctx, table, player.id)
        if match is None:
            refuse(404, UNKNOWN_TABLE)
        try:
            holder = joining.join(ctx, match, player, entropy)
        except Refused as refused:
            refuse_with(refused)
        return seat_data(match, holder, entropy)


@api.post("/lobby/seat")
@api.arguments(WantedSeat, required=False)
@api.response(201, FoundSeat)
@api.alt_response(409, schema=schemas.Problem, description="the caller cannot take a seat, or waits already")
@api.doc(security=[{"key": [api_keys.START]}])
def seat_anywhere(wanted: dict[str, Any]) -> dict[str, Any]:
    """Join the open table that starts soonest, or open one where there is none."""
    entropy = wanted["entropy"].strip()
    with transaction() as ctx:
        player = auth.require(ctx, api_keys.START).player
        try:
            seated = seating.seat(ctx, player, wanted["game"], entropy)
        except Refused as refused:
            refuse_with(refused)
        return {**seat_data(seated.match, seated.holder, entropy), "opened": seated.opened}


def _table_data(one: open_tables.OpenTable) -> dict[str, Any]:
    return {
        "match": one.match,
        "game": one.game,
        "options": one.options,
        "seats": len(one.names),
        "players": {str(seat): name for seat, name in enumerate(one.names, 1) if name},
        "robots": {str(seat): level for seat, level in one.robots.items()},
        "clock": one.clock,
        "on_time": one.on_time,
        "reliable": one.reliable,
        "bots": one.bots,
        "rated": one.rated,
        "since": timestamp(one.since),
        "url": f"{service().config.base_url}/join/{one.match}",
    }
