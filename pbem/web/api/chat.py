"""API of the chat of a match: reading it, and sending a message."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marshmallow import Schema, fields, validate
from werkzeug.exceptions import TooManyRequests

from pbem.i18n import _, marked
from pbem.play.accounts import api_keys
from pbem.play.chat import conversation, messages
from pbem.play.core.context import timestamp
from pbem.play.core.rate_limits import SECONDS_PER_DAY
from pbem.web.api import schemas, seat_access
from pbem.web.common import lookup
from pbem.web.request.context import transaction
from pbem.web.request.errors import refuse
from pbem.web.request.request_bodies import APIBlueprint

if TYPE_CHECKING:
    from pbem.db.models import Match, SeatHolder, Token
    from pbem.play.core.context import Context

api = APIBlueprint("api chat", __name__, url_prefix="/api", description="Chat")

ALONE = marked("You are the only player in this match.")


class NewMessage(Schema):
    """A message to the other players; it becomes one line, without links and addresses."""

    text = fields.String(required=True, validate=validate.Length(min=1, max=messages.MAX_CHARS))


class Message(Schema):
    """A message of a player; `own` is whether the caller wrote it."""

    number = fields.Integer(required=True)
    seat = fields.Integer(required=True)
    name = fields.String(required=True)
    text = fields.String(required=True)
    at = schemas.moment()
    own = fields.Boolean(required=True)


@api.get("/me/matches/<match_id>/chat")
@api.response(200, Message(many=True))
@api.alt_response(404, schema=schemas.Problem, description="the caller has no seat there")
@api.doc(security=[{"key": [api_keys.READ]}])
def read_mine(match_id: str) -> list[dict[str, Any]]:
    """List the newest messages of a match, oldest first, without those of players that the caller has muted."""
    with transaction() as ctx:
        found, match = seat_access.by_key(ctx, match_id, api_keys.READ)
        return _messages_data(ctx, match, found.holder)


@api.post("/me/matches/<match_id>/chat")
@api.arguments(NewMessage)
@api.response(201, Message(many=True))
@api.alt_response(404, schema=schemas.Problem, description="the caller has no seat there")
@api.alt_response(409, schema=schemas.Problem, description="the match has not begun, or has no other players")
@api.doc(security=[{"key": [api_keys.PLAY]}])
def say_mine(wanted: dict[str, Any], match_id: str) -> list[dict[str, Any]]:
    """Send a message to the other players, who get it by mail, and list the chat."""
    with transaction() as ctx:
        return _say(ctx, *seat_access.by_key(ctx, match_id, api_keys.PLAY), wanted["text"])


@api.get("/seats/<token>/chat")
@api.response(200, Message(many=True))
@api.alt_response(404, schema=schemas.Problem, description="no such link, or one of an earlier turn")
def read(token: str) -> list[dict[str, Any]]:
    """List the newest messages of a match, oldest first, without those of players that the seat's player has muted."""
    with transaction() as ctx:
        found, match = seat_access.by_token(ctx, token)
        return _messages_data(ctx, match, found.holder)


@api.post("/seats/<token>/chat")
@api.arguments(NewMessage)
@api.response(201, Message(many=True))
@api.alt_response(404, schema=schemas.Problem, description="no such link, or one of an earlier turn")
@api.alt_response(409, schema=schemas.Problem, description="the match has not begun, or has no other players")
def say(wanted: dict[str, Any], token: str) -> list[dict[str, Any]]:
    """Send a message to the other players, who get it by mail, and list the chat."""
    with transaction() as ctx:
        return _say(ctx, *seat_access.by_token(ctx, token), wanted["text"])


def _say(ctx: Context, found: Token, match: Match, typed: str) -> list[dict[str, Any]]:
    seat_access.require_begun(match)
    if len(match.seats) == 1:
        refuse(409, ALONE, code="nobody-else")
    text = messages.sanitise(typed)
    if not text:
        reason = _("Write a message.")
        refuse(422, reason, {"json": {"text": [reason]}})
    if not conversation.post(ctx, lookup.lock_seat(ctx, found), found.holder, text):
        raise TooManyRequests(_(messages.LIMIT_REACHED), retry_after=SECONDS_PER_DAY)
    return _messages_data(ctx, match, found.holder)


def _messages_data(ctx: Context, match: Match, holder: SeatHolder) -> list[dict[str, Any]]:
    return [
        {"number": one.number, "seat": one.seat, "name": one.name, "text": one.text, "at": timestamp(one.at)}
        | {"own": one.own}
        for one in conversation.visible_messages(ctx, match, holder)
    ]
