"""API of the caller: who they are, their matches and their moves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.db.models import Match
from pbem.games import Seat
from pbem.play.accounts import api_keys, dashboard
from pbem.play.core.context import timestamp
from pbem.play.core.errors import Refused
from pbem.play.players import bots
from pbem.play.submissions import queue
from pbem.states import MatchState
from pbem.web.api import auth, schemas
from pbem.web.api.matches import view_data
from pbem.web.common import cursors, lookup
from pbem.web.common.urls import absolute_url
from pbem.web.request.context import service, transaction
from pbem.web.request.errors import refuse_with
from pbem.web.request.request_bodies import APIBlueprint

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.db.models import Player
    from pbem.play.accounts.dashboard import MatchSummary

api = APIBlueprint("api me", __name__, url_prefix="/api", description="Your own matches")

LINK_HEADER = {"schema": {"type": "string"}, "description": "where earlier matches are, as in RFC 8288"}


@api.get("/me")
@api.response(200, schemas.Me)
@api.doc(security=[{"key": [api_keys.READ]}])
def me() -> dict[str, Any]:
    """Show the player of a key, and its scopes."""
    with transaction() as ctx:
        caller = auth.require(ctx, api_keys.READ)
        player = caller.player
        return {
            "name": player.name,
            "language": player.language,
            "zone": player.time_zone,
            "addresses": auth.addresses(ctx, caller),
            "scopes": list(caller.scopes),
            "bot": _bot_data(player),
        }


@api.post("/me/bot")
@api.arguments(schemas.NewBot, required=False)
@api.response(200, schemas.Bot)
@api.alt_response(409, schema=schemas.Problem, description="the caller plays with people, or has entered an event")
@api.doc(security=[{"key": [api_keys.START]}])
def declare_bot(wanted: dict[str, Any]) -> dict[str, Any] | None:
    """Declare that a program plays for the caller's account, which cannot be undone; or change whether it is rated."""
    with transaction() as ctx:
        player = auth.require(ctx, api_keys.START).player
        try:
            bots.declare(ctx, player, rates=wanted["rated"])
        except Refused as refused:
            refuse_with(refused)
        return _bot_data(player)


@api.get("/me/matches")
@api.arguments(schemas.MatchesPage, location="query")
@api.response(200, schemas.MyMatch(many=True), headers={"Link": LINK_HEADER})
@api.doc(security=[{"key": [api_keys.READ]}])
def my_matches(wanted: dict[str, Any]) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """List the caller's matches, the most urgent first, and the last twenty that are over; then earlier ones."""
    before = cursors.decode(wanted["before"])
    with transaction() as ctx:
        player = auth.require(ctx, api_keys.READ).player.id
        running, over = ([], dashboard.finished(ctx, player, before)) if before else dashboard.overview(ctx, player)
        shown = over[: dashboard.FINISHED_PER_PAGE]
        return [_match_data(one) for one in (*running, *shown)], _next_page(shown) if len(over) > len(shown) else {}


@api.get("/me/matches/<match_id>")
@api.response(200, schemas.View)
@api.alt_response(404, schema=schemas.Problem, description="the caller has no seat there")
@api.doc(security=[{"key": [api_keys.READ]}])
def my_view(match_id: str) -> dict[str, Any]:
    """Show a match as the caller's seat sees it."""
    with transaction() as ctx:
        holder = lookup.own_seat(ctx, match_id, auth.require(ctx, api_keys.READ).player.id)
        return view_data(ctx, ctx.session.get_one(Match, match_id), Seat(holder.seat))


@api.post("/me/matches/<match_id>/moves")
@api.arguments(schemas.NewMove)
@api.response(202, schemas.Taken)
@api.alt_response(404, schema=schemas.Problem, description="the caller has no seat there")
@api.doc(security=[{"key": [api_keys.PLAY]}])
def send_my_move(wanted: dict[str, Any], match_id: str) -> dict[str, Any]:
    """Send a move of the caller's seat; it is stored when this is answered, and judged in a moment."""
    with transaction() as ctx:
        holder = lookup.own_seat(ctx, match_id, auth.require(ctx, api_keys.PLAY).player.id)
        found = lookup.link(ctx, dashboard.link_token(ctx, ctx.session.get_one(Match, match_id), holder))
        return {"submission": queue.send_move(ctx, found, queue.API, wanted["ply"], wanted["move"])}


def _next_page(shown: Sequence[MatchSummary]) -> dict[str, str]:
    last = shown[-1]
    before = cursors.encode(last.ended_at or last.since, last.match)
    return {"Link": f'<{absolute_url("api me.my_matches", before=before)}>; rel="next"'}


def _bot_data(player: Player) -> dict[str, Any] | None:
    if player.bot_since is None:
        return None
    return {"since": timestamp(player.bot_since), "rated": player.rates_as_bot}


def _match_data(one: MatchSummary) -> dict[str, Any]:
    return {
        "match": one.match,
        "game": one.game,
        "state": one.state,
        "seat": one.seat,
        "players": {str(seat): name for seat, name in one.names.items()},
        "robots": {str(seat): level for seat, level in one.robots.items()},
        "bots": list(one.bots),
        "ply": one.ply,
        "to_move": list(one.to_move) if one.state == MatchState.RUNNING else [],
        "your_turn": one.waits,
        "deadline": timestamp(one.due_at) if one.due_at else None,
        "ended": timestamp(one.ended_at) if one.ended_at else None,
        "outcome": one.result,
        "url": f"{service().config.base_url}/matches/{one.match}",
    }
