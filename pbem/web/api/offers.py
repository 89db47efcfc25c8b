"""API of offers: a draw, a takeback, a pause, more time or the end of a match."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.play.accounts import api_keys
from pbem.play.core import tokens
from pbem.play.core.context import timestamp
from pbem.play.lifecycle import agreements
from pbem.play.submissions import queue
from pbem.web.api import schemas, seat_access
from pbem.web.common import lookup
from pbem.web.request.context import transaction
from pbem.web.request.request_bodies import APIBlueprint

if TYPE_CHECKING:
    from pbem.db.models import Match, Token
    from pbem.play.core.context import Context

api = APIBlueprint("api offers", __name__, url_prefix="/api", description="Offers")


@api.get("/me/matches/<match_id>/offers")
@api.response(200, schemas.Offer(many=True))
@api.alt_response(404, schema=schemas.Problem, description="the caller has no seat there")
@api.doc(security=[{"key": [api_keys.READ]}])
def my_offers(match_id: str) -> list[dict[str, Any]]:
    """List the open offers."""
    with transaction() as ctx:
        return _offers_data(ctx, *seat_access.by_key(ctx, match_id, api_keys.READ))


@api.post("/me/matches/<match_id>/offers")
@api.arguments(schemas.NewOffer)
@api.response(202, schemas.Taken)
@api.alt_response(404, schema=schemas.Problem, description="the caller has no seat there")
@api.doc(security=[{"key": [api_keys.PLAY]}])
def send_my_offer(wanted: dict[str, Any], match_id: str) -> dict[str, Any]:
    """Offer, accept or decline a draw, a takeback, a pause, more time or the end; it is judged in a moment."""
    with transaction() as ctx:
        found, _match = seat_access.by_key(ctx, match_id, api_keys.PLAY)
        return _send(ctx, found, wanted)


@api.get("/seats/<token>/offers")
@api.response(200, schemas.Offer(many=True))
@api.alt_response(404, schema=schemas.Problem, description="no such link")
def offers(token: str) -> list[dict[str, Any]]:
    """List the open offers; none by a link of an earlier turn."""
    with transaction() as ctx:
        found, match = lookup.link_and_match(ctx, token)
        return _offers_data(ctx, found, match) if tokens.is_current(ctx, found, match) else []


@api.post("/seats/<token>/offers")
@api.arguments(schemas.NewOffer)
@api.response(202, schemas.Taken)
@api.alt_response(404, schema=schemas.Problem, description="no such link")
def send_offer(wanted: dict[str, Any], token: str) -> dict[str, Any]:
    """Offer, accept or decline a draw, a takeback, a pause, more time or the end; it is judged in a moment."""
    with transaction() as ctx:
        return _send(ctx, lookup.link(ctx, token), wanted)


def _send(ctx: Context, found: Token, wanted: dict[str, Any]) -> dict[str, Any]:
    text = agreements.serialise(wanted["kind"], wanted["wish"], wanted["days"])
    return {"submission": queue.send_chat(ctx, found, wanted["ply"], text, ctx.draw(16).hex())}


def _offers_data(ctx: Context, found: Token, match: Match) -> list[dict[str, Any]]:
    return [
        {"kind": one.kind, "seat": one.seat, "awaited": one.awaited, "detail": one.detail, "at": timestamp(one.at)}
        for one in agreements.open_proposals(ctx, match, found.holder)
    ]
