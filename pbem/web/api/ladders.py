"""API of ladders: their places and challenges, entering and leaving, challenging and answering."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marshmallow import Schema, fields, validate

from pbem.db.models import LadderChallenge
from pbem.i18n import _
from pbem.play.accounts import api_keys
from pbem.play.core.context import timestamp
from pbem.play.core.errors import Refused
from pbem.play.ladders import challenges, entering, names, overview
from pbem.play.players.registry import MAX_NAME_LENGTH
from pbem.web.api import auth, schemas
from pbem.web.common import lookup
from pbem.web.common.messages import UNKNOWN_CHALLENGE
from pbem.web.request import form_fields
from pbem.web.request.context import transaction
from pbem.web.request.errors import refuse, refuse_with
from pbem.web.request.read_replica import may_use_replica
from pbem.web.request.request_bodies import APIBlueprint

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pbem.db.models import Event, Player
    from pbem.play.core.context import Context
    from pbem.play.ladders.overview import ChallengeSummary

api = APIBlueprint("api ladders", __name__, url_prefix="/api", description="Ladders")

_ANSWERS: Mapping[str, Callable[[Context, int, Player], object]] = {
    "accept": challenges.accept,
    "decline": challenges.decline,
    "take-back": challenges.take_back,
}


class LadderEntry(Schema):
    """A ladder in the list."""

    game = fields.String(required=True)
    players = fields.Integer(required=True, metadata={"description": "how many are on it"})
    first = fields.String(required=True, allow_none=True, metadata={"description": "who is first, if anybody"})
    own = fields.Integer(required=True, allow_none=True, metadata={"description": "the caller’s place, if any"})


class ChallengeData(Schema):
    """A challenge; `places` are those of challenger and challenged when it was offered."""

    id = fields.Integer(required=True)
    challenger = fields.String(required=True)
    challenged = fields.String(required=True)
    places = fields.List(fields.Integer(), required=True)
    state = fields.String(
        required=True,
        validate=validate.OneOf(["offered", "accepted", "declined", "lapsed", "taken_back", "over"]),
    )
    offered = schemas.moment()
    lapses = schemas.moment(allow_none=True)
    ended = schemas.moment(allow_none=True)
    match = fields.String(required=True, allow_none=True)
    won = fields.Boolean(
        required=True, allow_none=True, metadata={"description": "whether the challenger won; null if nobody has"}
    )


class Place(Schema):
    """A place of a ladder."""

    place = fields.Integer(required=True)
    name = fields.String(required=True)
    since = schemas.moment(allow_none=True)
    challengeable = fields.Boolean(required=True, metadata={"description": "whether the caller can challenge them now"})


class LadderDetails(Schema):
    """A ladder: all places, the challenges that have not ended, and the last thirty that have."""

    game = fields.String(required=True)
    options = fields.Dict(required=True)
    clock = fields.String(required=True)
    own = fields.Integer(required=True, allow_none=True)
    places = fields.List(fields.Nested(Place), required=True)
    challenges = fields.List(fields.Nested(ChallengeData), required=True)
    past = fields.List(fields.Nested(ChallengeData), required=True)


class NewLadderEntry(Schema):
    """The name under which the caller is listed; without one it is their own."""

    name = fields.String(load_default="", validate=validate.Length(max=MAX_NAME_LENGTH))


class OwnPlace(Schema):
    """The caller's place on a ladder; null after leaving."""

    game = fields.String(required=True)
    place = fields.Integer(required=True, allow_none=True)


class NewChallenge(Schema):
    """Whom to challenge: a name on the ladder, or a place there as text."""

    name = fields.String(required=True, validate=validate.Length(min=1, max=MAX_NAME_LENGTH))


@api.get("/ladders")
@api.response(200, LadderEntry(many=True))
@may_use_replica
def ladders() -> list[dict[str, Any]]:
    """List the ladders, one for each game of two seats."""
    with transaction() as ctx:
        found = overview.list_all(ctx, auth.reader(ctx))
    return [{"game": one.event.game, "players": one.count, "first": one.first or None, "own": one.own} for one in found]


@api.get("/ladders/<game>")
@api.response(200, LadderDetails)
@api.alt_response(404, schema=schemas.Problem, description="no such game, or it has no ladder")
@may_use_replica
def ladder(game: str) -> dict[str, Any]:
    """Show the places and the challenges of a ladder."""
    with transaction() as ctx:
        event = lookup.ladder(ctx, game)
        found = overview.load(ctx, event, auth.reader(ctx))
        past = overview.history(ctx, event)
    return {
        "game": event.game,
        "options": event.options,
        "clock": event.time_control,
        "own": found.own,
        "places": [
            {
                "place": row.place,
                "name": row.name,
                "since": timestamp(row.since) if row.since else None,
                "challengeable": row.can_challenge,
            }
            for row in found.rows
        ],
        "challenges": [_challenge_data(one) for one in found.unfinished],
        "past": [_challenge_data(one) for one in past],
    }


@api.post("/ladders/<game>/entries")
@api.arguments(NewLadderEntry, required=False)
@api.response(201, OwnPlace)
@api.alt_response(404, schema=schemas.Problem, description="no such game, or it has no ladder")
@api.alt_response(409, schema=schemas.Problem, description="the caller cannot enter, and why")
@api.doc(security=[{"key": [api_keys.START]}])
def enter(wanted: dict[str, Any], game: str) -> dict[str, Any]:
    """Enter the caller into a ladder, in its last place."""
    with transaction() as ctx:
        player = auth.require(ctx, api_keys.START).player
        event = lookup.ladder(ctx, game)
        try:
            with ctx.session.begin_nested():
                entrant = entering.enter(ctx, event, player, wanted["name"] or player.name)
        except Refused as refused:
            refuse_with(refused)
        return {"game": game, "place": entrant.place}


@api.delete("/ladders/<game>/entries")
@api.response(200, OwnPlace)
@api.alt_response(404, schema=schemas.Problem, description="no such game, or it has no ladder")
@api.alt_response(409, schema=schemas.Problem, description="the caller is not on the ladder")
@api.doc(security=[{"key": [api_keys.PLAY]}])
def leave(game: str) -> dict[str, Any]:
    """Withdraw the caller from a ladder; challenges that wait are over, a match that has begun goes on."""
    with transaction() as ctx:
        player = auth.require(ctx, api_keys.PLAY).player
        try:
            entering.leave(ctx, lookup.ladder(ctx, game), player)
        except Refused as refused:
            refuse_with(refused)
    return {"game": game, "place": None}


@api.post("/ladders/<game>/challenges")
@api.arguments(NewChallenge)
@api.response(201, ChallengeData)
@api.alt_response(404, schema=schemas.Problem, description="no such game, or it has no ladder")
@api.alt_response(409, schema=schemas.Problem, description="the caller cannot challenge them now, and why")
@api.doc(security=[{"key": [api_keys.START]}])
def challenge(wanted: dict[str, Any], game: str) -> dict[str, Any]:
    """Challenge somebody above the caller, who is mailed."""
    with transaction() as ctx:
        player = auth.require(ctx, api_keys.START).player
        event = lookup.ladder(ctx, game)
        try:
            made = challenges.challenge(ctx, event, player, names.find(ctx, event, wanted["name"]))
        except Refused as refused:
            refuse_with(refused)
        return _summary(ctx, event, made)


@api.post("/ladders/<game>/challenges/<number>/<what>")
@api.response(200, ChallengeData)
@api.alt_response(404, schema=schemas.Problem, description="no such challenge of the caller’s, or no such answer")
@api.alt_response(409, schema=schemas.Problem, description="it no longer waits, or is for the other to answer")
@api.doc(security=[{"key": [api_keys.START]}])
def answer(game: str, number: str, what: str) -> dict[str, Any]:
    """Accept or decline a challenge to the caller, or take back one of theirs: `accept`, `decline` or `take-back`."""
    found = form_fields.parse_number(number, form_fields.MAX_ID_DIGITS)
    with transaction() as ctx:
        player = auth.require(ctx, api_keys.START).player
        event = lookup.ladder(ctx, game)
        row = ctx.session.get(LadderChallenge, found) if found is not None else None
        own = row is not None and player.id in {row.challenger_id, row.challenged_id}
        if row is None or not own or row.event_id != event.id or what not in _ANSWERS:
            refuse(404, _(UNKNOWN_CHALLENGE))
        try:
            _ANSWERS[what](ctx, row.id, player)
        except Refused as refused:
            refuse_with(refused)
        return _summary(ctx, event, row)


def _summary(ctx: Context, event: Event, row: LadderChallenge) -> dict[str, Any]:
    return _challenge_data(overview.summarise(ctx, event, [row])[0])


def _challenge_data(one: ChallengeSummary) -> dict[str, Any]:
    return {
        "id": one.number,
        "challenger": one.challenger,
        "challenged": one.challenged,
        "places": list(one.places),
        "state": one.state,
        "offered": timestamp(one.offered_at),
        "lapses": timestamp(one.until) if one.until else None,
        "ended": timestamp(one.ended_at) if one.ended_at else None,
        "match": one.match,
        "won": one.won,
    }
