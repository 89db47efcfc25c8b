"""API of matches: creating, public views and records."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Response, json

from pbem import robots
from pbem.games import GAMES
from pbem.games.hidden import Eye
from pbem.play.accounts import api_keys
from pbem.play.archive import records
from pbem.play.core.errors import Refused
from pbem.play.lifecycle import create, match_requests, robot_seats
from pbem.play.lifecycle.match_requests import Invitee, MatchRequest, Terms
from pbem.play.matches import pairs
from pbem.play.matches.match_state import load_match
from pbem.play.matches.seats import holders
from pbem.play.matches.views import player_names, render_before_start, render_view, robot_levels
from pbem.play.players.registry import MAX_NAME_LENGTH
from pbem.play.ratings import standings
from pbem.robots import Level
from pbem.web.api import auth, schemas
from pbem.web.common import lookup
from pbem.web.common.urls import absolute_url
from pbem.web.request.context import service, transaction
from pbem.web.request.errors import refuse, refuse_with
from pbem.web.request.read_replica import may_use_replica
from pbem.web.request.request_bodies import APIBlueprint

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.db.models import Match
    from pbem.games import Seat
    from pbem.play.core.context import Context

api = APIBlueprint("api matches", __name__, url_prefix="/api", description="Matches")


@api.post("/matches")
@api.arguments(schemas.NewMatch)
@api.response(201, schemas.Made)
@api.doc(security=[{"key": [api_keys.START]}])
def make_match(wanted: dict[str, Any]) -> dict[str, Any]:
    """Create a match; every seat is mailed an invitation, and the caller's own has accepted."""
    terms = Terms(
        wanted["clock"],
        wanted["on_time"],
        wanted["reliable"],
        wanted["rated"],
        wanted["public"],
        wanted["bots"],
        wanted["open_if_declined"],
    )
    with transaction() as ctx:
        try:
            guests = parse_guests(wanted["game"], wanted["seats"])
            request = MatchRequest(
                wanted["game"],
                wanted["options"],
                guests,
                terms,
                invitation_text=wanted["words"],
                there_and_back=wanted["there_and_back"],
                **auth.creator_fields(ctx, guests),
            )
            match = create.create_match(ctx, request)
        except Refused as refused:
            refuse_with(refused, 422, {"json": {refused.field: [str(refused)]}})
        return created_data(match) | _pair_data(ctx, match)


@api.get("/matches/<match_id>")
@api.response(200, schemas.View)
@api.alt_response(404, schema=schemas.Problem, description="no such match, a private one, or a closed table")
def public_view(match_id: str) -> dict[str, Any]:
    """Show a public match as spectators see it."""
    with transaction() as ctx:
        match = lookup.public_match(ctx, match_id)
        lookup.check_visible(ctx, match, auth.reader(ctx))
        return view_data(ctx, match, None)


@api.get("/matches/<match_id>/record")
@api.response(200, {"type": "object"}, description="a record, as docs/reference/records.md describes it")
@api.alt_response(404, schema=schemas.Problem, description="no such match, a private one, not over, or withheld")
@may_use_replica
def record(match_id: str) -> Response:
    """Return the record of a finished match."""
    with transaction() as ctx:
        found = lookup.open_match(ctx, match_id)
        try:
            data = records.build_record(ctx, found).data()
        except records.NoRecordYetError as error:
            refuse(404, str(error))
    return Response(json.dumps(data, ensure_ascii=False), content_type="application/json")


def created_data(match: Match) -> dict[str, Any]:
    """Return the data of a match that was just created."""
    return {
        "id": match.id,
        "url": f"{service().config.base_url}/matches/{match.id}",
        "commitment": match.commitment.hex(),
        "head": match.chain_head.hex(),
    }


def _pair_data(ctx: Context, match: Match) -> dict[str, Any]:
    """Return the deal of a match that was just created, if it is played there and back."""
    pair = pairs.find_place(ctx, match)
    if pair is None:
        return {}
    url = absolute_url("deal_sets.deal_set", set_id=pair.deal_set)
    return {"set": {"id": pair.deal_set, "url": url, "matches": [match.id, pair.other]}}


def parse_guests(game: str, seats: Sequence[dict[str, Any]]) -> list[Invitee | None]:
    """Return the invitee of each seat, None if anyone may take it; raises Refused for a level that no robot has."""
    return [_parse_guest(game, wanted, f"seats.{number}") for number, wanted in enumerate(seats)]


def _parse_guest(game: str, wanted: dict[str, Any], field: str) -> Invitee | None:
    if wanted["bot"]:
        return match_requests.robot(_parse_level(game, wanted.get("level", Level.FAIR), field))
    return None if wanted["open"] else Invitee(wanted["name"], wanted["email"])


def _parse_level(game: str, typed: str, field: str) -> Level:
    """Return the level of a robot; of an unknown game, which is refused later, any."""
    if game not in GAMES:
        return Level.FAIR
    if typed not in robots.levels(game):
        raise robot_seats.unknown_level(typed[:MAX_NAME_LENGTH], GAMES[game], field, str)
    return Level(typed)


def view_data(ctx: Context, match: Match, seat: Seat | None) -> dict[str, Any]:
    """Return the view of a match for a seat, or for spectators."""
    names, levels = player_names(ctx, match), robot_levels(ctx, match)
    suggestions: tuple[str, ...] = ()
    if match.seed is None:
        view = render_before_start(match, seat, names)
    else:
        course = load_match(ctx, match)
        view = render_view(course, Eye.PUBLIC if seat is None else seat, names)
        if seat is not None and seat in view["to_move"]:
            suggestions = course.game.suggest(course.position, seat)
    present = holders(ctx, match)
    rated = standings.why_unrated(match, len(names), present) or True
    bots = [one.seat for one in present if one.rates_as_bot is not None]
    by_seat = {str(number): level for number, level in levels.items()}
    return view | {"suggestions": list(suggestions), "robots": by_seat, "bots": bots, "rated": rated}
