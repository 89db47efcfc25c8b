"""API of invitations: accepting and declining."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marshmallow import Schema, fields, validate

from pbem.games.chain import typed_entropy
from pbem.i18n import marked
from pbem.play.accounts import api_keys
from pbem.play.lifecycle import acceptance
from pbem.play.lobby import reopening
from pbem.play.matches import seats
from pbem.states import MatchState
from pbem.web.api import schemas, seat_access
from pbem.web.common import lookup
from pbem.web.request.context import service, transaction
from pbem.web.request.errors import refuse
from pbem.web.request.request_bodies import APIBlueprint

if TYPE_CHECKING:
    from pbem.db.models import Match, SeatHolder, Token
    from pbem.play.core.context import Context

api = APIBlueprint("api invitations", __name__, url_prefix="/api", description="Invitations")

ALREADY_BEGUN = marked("This match has already begun.")
MAX_ENTROPY_CHARS = 1000


class NewAcceptance(Schema):
    """The acceptance of a seat, with the player's own text for the deal if any."""

    entropy = fields.String(
        load_default="",
        validate=[validate.Length(max=MAX_ENTROPY_CHARS), schemas.check_storable],
        metadata={"description": "a text of the player's own, of which the deal is made too"},
    )


class AcceptedSeat(Schema):
    """A seat that the caller has accepted; the match starts when everybody has."""

    match = fields.String(required=True)
    seat = fields.Integer(required=True)
    state = fields.String(required=True, validate=validate.OneOf(list(MatchState)))
    entropy = fields.String(required=True, metadata={"description": "the seat's part in the deal"})
    entropy_by = fields.String(required=True, validate=validate.OneOf(["player", "server"]))
    typed = fields.String(
        required=True, allow_none=True, metadata={"description": "the text that the entropy is the SHA-256 of"}
    )
    url = fields.String(required=True)


class DeclinedSeat(Schema):
    """A seat that was declined: the match is called off, or the seat is open to others."""

    match = fields.String(required=True)
    state = fields.String(required=True, validate=validate.OneOf(list(MatchState)))
    reopened = fields.Boolean(
        required=True, metadata={"description": "whether a new match, with the seat open to others, replaces this one"}
    )


@api.post("/me/matches/<match_id>/accept")
@api.arguments(NewAcceptance, required=False)
@api.response(200, AcceptedSeat)
@api.alt_response(404, schema=schemas.Problem, description="the caller has no seat there")
@api.alt_response(409, schema=schemas.Problem, description="the match was called off")
@api.doc(security=[{"key": [api_keys.PLAY]}])
def accept_mine(wanted: dict[str, Any], match_id: str) -> dict[str, Any]:
    """Accept the caller's invitation to a match; only the first acceptance counts."""
    with transaction() as ctx:
        return _accept(ctx, seat_access.by_key(ctx, match_id, api_keys.PLAY)[0], wanted["entropy"])


@api.post("/seats/<token>/accept")
@api.arguments(NewAcceptance, required=False)
@api.response(200, AcceptedSeat)
@api.alt_response(404, schema=schemas.Problem, description="no such link, or one of an earlier turn")
@api.alt_response(409, schema=schemas.Problem, description="the match was called off")
def accept(wanted: dict[str, Any], token: str) -> dict[str, Any]:
    """Accept an invitation; only the first acceptance counts."""
    with transaction() as ctx:
        return _accept(ctx, seat_access.by_token(ctx, token)[0], wanted["entropy"])


@api.post("/me/matches/<match_id>/decline")
@api.arguments(schemas.NoFields, required=False)
@api.response(200, DeclinedSeat)
@api.alt_response(404, schema=schemas.Problem, description="the caller has no seat there")
@api.alt_response(409, schema=schemas.Problem, description="the match has begun, or was called off")
@api.doc(security=[{"key": [api_keys.PLAY]}])
def decline_mine(_wanted: dict[str, Any], match_id: str) -> dict[str, Any]:
    """Decline the caller's invitation, which calls the match off, or opens the seat if the host wants that."""
    with transaction() as ctx:
        return _decline(ctx, seat_access.by_key(ctx, match_id, api_keys.PLAY)[0])


@api.post("/seats/<token>/decline")
@api.arguments(schemas.NoFields, required=False)
@api.response(200, DeclinedSeat)
@api.alt_response(404, schema=schemas.Problem, description="no such link, or one of an earlier turn")
@api.alt_response(409, schema=schemas.Problem, description="the match has begun, or was called off")
def decline(_wanted: dict[str, Any], token: str) -> dict[str, Any]:
    """Decline an invitation, which calls the match off, or opens the seat if the host wants that."""
    with transaction() as ctx:
        return _decline(ctx, seat_access.by_token(ctx, token)[0])


def seat_data(match: Match, holder: SeatHolder, typed: str) -> dict[str, Any]:
    """Return the data of a seat that was accepted; `typed` is shown where it is part of the deal."""
    seat = match.seats[holder.seat - 1]
    entropy, source = seats.entropy_with_source(seat)
    return {
        "match": match.id,
        "seat": holder.seat,
        "state": match.state,
        "entropy": entropy,
        "entropy_by": source,
        "typed": typed if typed and typed_entropy(typed) == seat.entropy else None,
        "url": f"{service().config.base_url}/matches/{match.id}",
    }


def _accept(ctx: Context, found: Token, entropy: str) -> dict[str, Any]:
    match, typed = lookup.lock_seat(ctx, found), entropy.strip()
    seat = acceptance.accept(ctx, match, found.holder, typed)
    if seat.accepted_at is None:
        refuse(409, seat_access.CALLED_OFF, code="called-off")
    return seat_data(match, found.holder, typed)


def _decline(ctx: Context, found: Token) -> dict[str, Any]:
    match = lookup.lock_seat(ctx, found)
    if match.state != MatchState.INVITING:
        begun = match.seed is not None
        refuse(409, ALREADY_BEGUN if begun else seat_access.CALLED_OFF, code="already-begun" if begun else "called-off")
    drawn = reopening.decline(ctx, match, found.holder)
    return {"match": match.id, "state": match.state, "reopened": drawn is not None}
