"""API of seats whose time has run out: finding and taking one over, voting, reclaiming one's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marshmallow import Schema, fields, validate

from pbem.play.accounts import api_keys, dashboard
from pbem.play.core.context import timestamp
from pbem.play.core.errors import Refused
from pbem.play.matches import seats
from pbem.play.timeouts import reclaims, substitutes, votes
from pbem.web.api import auth, schemas, seat_access
from pbem.web.common import lookup
from pbem.web.request.context import service, transaction
from pbem.web.request.errors import refuse_with
from pbem.web.request.request_bodies import APIBlueprint

if TYPE_CHECKING:
    from pbem.db.models import Match, SeatHolder, Token
    from pbem.play.core.context import Context

api = APIBlueprint("api timeouts", __name__, url_prefix="/api", description="Seats whose time has run out")

MAX_LISTED = 50
"""Maximum seats listed at once."""


class SoughtSeat(Schema):
    """A seat of a public match that needs a substitute."""

    match = fields.String(required=True)
    game = fields.String(required=True)
    seat = fields.Integer(required=True)
    players = fields.Dict(required=True, keys=fields.String(), values=fields.String())
    since = schemas.moment()
    url = fields.String(required=True)


class TakenSeat(Schema):
    """A seat that the caller has, or will have when the next hand is dealt."""

    match = fields.String(required=True)
    seat = fields.Integer(required=True, allow_none=True)


class NewVote(Schema):
    """A vote on a seat; on all that are open if none is named."""

    choice = fields.String(required=True, validate=validate.OneOf(list(votes.CHOICES)))
    seat = fields.Integer(load_default=None, allow_none=True)


class OpenVote(Schema):
    """A seat that is voted on, and the vote of the caller's seat."""

    seat = fields.Integer(required=True)
    name = fields.String(required=True)
    choices = fields.List(fields.String(), required=True)
    own = fields.String(required=True, allow_none=True)
    until = schemas.moment(allow_none=True)


@api.get("/sought")
@api.response(200, SoughtSeat(many=True))
def sought() -> list[dict[str, Any]]:
    """List the seats of public matches that need a substitute."""
    with transaction() as ctx:
        return [
            {
                "match": one.match.id,
                "game": one.match.game,
                "seat": one.seat,
                "players": {str(seat): name for seat, name in enumerate(one.names, 1)},
                "since": timestamp(one.since),
                "url": f"{service().config.base_url}/matches/{one.match.id}/seats/{one.seat}",
            }
            for one in substitutes.list_open_seats(ctx, MAX_LISTED, auth.reader(ctx))
        ]


@api.post("/matches/<match_id>/seats/<int:seat>")
@api.response(201, TakenSeat)
@api.alt_response(404, schema=schemas.Problem, description="no such match, or a private one")
@api.alt_response(409, schema=schemas.Problem, description="the seat needs no substitute, or the caller cannot take it")
@api.doc(security=[{"key": [api_keys.START]}])
def take_over(match_id: str, seat: int) -> dict[str, Any]:
    """Take over a seat of a running match; the caller is mailed its turn."""
    with transaction() as ctx:
        caller = auth.require(ctx, api_keys.START)
        match = lookup.public_match(ctx, match_id)
        try:
            holder = substitutes.take_over(ctx, match, seat, caller.player)
        except Refused as refused:
            refuse_with(refused)
        return {"match": match.id, "seat": holder.seat}


@api.post("/me/matches/<match_id>/back")
@api.response(200, TakenSeat)
@api.alt_response(409, schema=schemas.Problem, description="there is no seat to reclaim")
@api.doc(security=[{"key": [api_keys.PLAY]}])
def come_back(match_id: str) -> dict[str, Any]:
    """Reclaim a seat from the robot: at once, or without a `seat` yet when the next hand is dealt."""
    with transaction() as ctx:
        caller = auth.require(ctx, api_keys.PLAY)
        match = lookup.reclaimable_match(ctx, match_id, caller.player.id)
        try:
            reclaims.request(ctx, match, caller.player)
        except Refused as refused:
            refuse_with(refused)
        holder = dashboard.find_holder(ctx, match.id, caller.player.id)
        return {"match": match.id, "seat": holder.seat if holder else None}


@api.get("/me/matches/<match_id>/votes")
@api.response(200, OpenVote(many=True))
@api.alt_response(404, schema=schemas.Problem, description="the caller has no seat there")
@api.doc(security=[{"key": [api_keys.READ]}])
def my_open_votes(match_id: str) -> list[dict[str, Any]]:
    """List the seats that are voted on now in one of the caller's matches."""
    with transaction() as ctx:
        found, match = seat_access.by_key(ctx, match_id, api_keys.READ)
        return _open_votes(ctx, match, found.holder)


@api.put("/me/matches/<match_id>/votes")
@api.arguments(NewVote)
@api.response(200, OpenVote(many=True))
@api.alt_response(404, schema=schemas.Problem, description="the caller has no seat there")
@api.alt_response(409, schema=schemas.Problem, description="there is no open vote, or no such choice")
@api.doc(security=[{"key": [api_keys.PLAY]}])
def my_vote(wanted: dict[str, Any], match_id: str) -> list[dict[str, Any]]:
    """Vote on a seat whose time has run out, and list what is still open; until then a vote may be changed."""
    with transaction() as ctx:
        return _cast(ctx, seat_access.by_key(ctx, match_id, api_keys.PLAY)[0], wanted)


@api.get("/seats/<token>/votes")
@api.response(200, OpenVote(many=True))
@api.alt_response(404, schema=schemas.Problem, description="no such link, or one of an earlier turn")
def open_votes(token: str) -> list[dict[str, Any]]:
    """List the seats that are voted on now."""
    with transaction() as ctx:
        found, match = seat_access.by_token(ctx, token)
        return _open_votes(ctx, match, found.holder)


@api.put("/seats/<token>/votes")
@api.arguments(NewVote)
@api.response(200, OpenVote(many=True))
@api.alt_response(404, schema=schemas.Problem, description="no such link, or one of an earlier turn")
@api.alt_response(409, schema=schemas.Problem, description="there is no open vote, or no such choice")
def vote(wanted: dict[str, Any], token: str) -> list[dict[str, Any]]:
    """Vote on a seat whose time has run out, and list what is still open; until then a vote may be changed."""
    with transaction() as ctx:
        return _cast(ctx, seat_access.by_token(ctx, token)[0], wanted)


def _cast(ctx: Context, found: Token, wanted: dict[str, Any]) -> list[dict[str, Any]]:
    match = lookup.lock_seat(ctx, found)
    try:
        votes.cast(ctx, match, found.holder, wanted["choice"], wanted["seat"])
    except Refused as refused:
        refuse_with(refused)
    return _open_votes(ctx, match, found.holder)


def _open_votes(ctx: Context, match: Match, holder: SeatHolder) -> list[dict[str, Any]]:
    names = {one.seat: one.name for one in seats.holders(ctx, match)}
    return [
        {
            "seat": row.seat,
            "name": names[row.seat],
            "choices": votes.available_choices(row),
            "own": votes.choices_by_seat(ctx, match, row).get(holder.seat),
            "until": timestamp(row.phase_ends_at) if row.phase_ends_at else None,
        }
        for row in votes.open_votes(ctx, match, holder)
    ]
