"""API of the caller's private notes on a match and on the people there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marshmallow import Schema, fields

from pbem.db.models import Match
from pbem.i18n import marked
from pbem.play.accounts import api_keys
from pbem.play.chat import conversation
from pbem.play.core.errors import Refused
from pbem.play.players import private_notes
from pbem.play.players.private_notes import Subject
from pbem.web.api import auth, schemas
from pbem.web.common import lookup
from pbem.web.request.context import transaction
from pbem.web.request.errors import refuse
from pbem.web.request.request_bodies import APIBlueprint

if TYPE_CHECKING:
    from pbem.db.models import SeatHolder
    from pbem.play.core.context import Context

api = APIBlueprint("api notes", __name__, url_prefix="/api", description="Private notes")


class NewNote(Schema):
    """A note on the match, or with `seat` on the person there; an empty text deletes it."""

    text = fields.String(required=True, metadata={"description": f"at most {private_notes.MAX_CHARS} characters"})
    seat = fields.Integer(load_default=None, allow_none=True)


class PersonNote(Schema):
    """A note on the person in a seat."""

    seat = fields.Integer(required=True)
    name = fields.String(required=True)
    text = fields.String(required=True)


class Notes(Schema):
    """The caller's notes: `match` on the match, and on the other people there; each may be empty."""

    match = fields.String(required=True)
    people = fields.List(fields.Nested(PersonNote), required=True)


@api.get("/me/matches/<match_id>/notes")
@api.response(200, Notes)
@api.alt_response(404, schema=schemas.Problem, description="the caller has no seat there")
@api.doc(security=[{"key": [api_keys.READ]}])
def show_notes(match_id: str) -> dict[str, Any]:
    """Show the caller's notes on a match and on the people there, which only they see."""
    with transaction() as ctx:
        holder = lookup.own_seat(ctx, match_id, auth.require(ctx, api_keys.READ).player.id)
        return _notes_data(ctx, ctx.session.get_one(Match, match_id), holder)


@api.put("/me/matches/<match_id>/notes")
@api.arguments(NewNote)
@api.response(200, Notes)
@api.alt_response(404, schema=schemas.Problem, description="the caller has no seat there, or nobody else has the other")
@api.doc(security=[{"key": [api_keys.PLAY]}])
def write_note(wanted: dict[str, Any], match_id: str) -> dict[str, Any]:
    """Replace the caller's note on a match, or on the person in a seat of it."""
    with transaction() as ctx:
        holder = lookup.own_seat(ctx, match_id, auth.require(ctx, api_keys.PLAY).player.id)
        match = ctx.session.get_one(Match, match_id)
        try:
            private_notes.replace(
                ctx, holder.player_id, _find_subject(ctx, match, holder, wanted["seat"]), wanted["text"]
            )
        except Refused as refused:
            refuse(422, str(refused), {"json": {"text": [str(refused)]}})
        return _notes_data(ctx, match, holder)


def _find_subject(ctx: Context, match: Match, holder: SeatHolder, seat: int | None) -> Subject:
    if seat is None:
        return Subject(match.id)
    about = next((one for one in conversation.other_people(ctx, match, holder) if one.seat == seat), None)
    if about is None:
        refuse(404, marked("Nobody else sits there."))
    return Subject(person=about.player_id, name=about.name)


def _notes_data(ctx: Context, match: Match, holder: SeatHolder) -> dict[str, Any]:
    player = holder.player_id
    return {
        "match": private_notes.on_match(ctx, player, match.id),
        "people": [
            {"seat": one.seat, "name": one.name, "text": private_notes.on_person(ctx, player, one.player_id)}
            for one in conversation.other_people(ctx, match, holder)
        ],
    }
