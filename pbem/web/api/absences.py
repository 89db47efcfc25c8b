"""API of vacations: the days on which the caller's clocks stand still."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from marshmallow import Schema, fields

from pbem.i18n import marked
from pbem.play.accounts import api_keys
from pbem.play.clocks.date_ranges import DateRange
from pbem.play.core.context import timestamp
from pbem.play.core.errors import Refused
from pbem.play.timeouts import absences
from pbem.web.api import auth, schemas
from pbem.web.request.context import transaction
from pbem.web.request.errors import refuse
from pbem.web.request.request_bodies import APIBlueprint

if TYPE_CHECKING:
    from pbem.db.models import Player
    from pbem.play.core.context import Context

api = APIBlueprint("api absences", __name__, url_prefix="/api", description="Vacations")

MAX_ID = 2**63 - 1


class NewAbsence(Schema):
    """First and last day of an absence, both whole days of the player's time zone."""

    first = fields.Date(load_default=None, metadata={"description": "default: from now on"})
    last = fields.Date(required=True)


class Absence(Schema):
    """Period in which all clocks of a player stand still."""

    id = fields.Integer(required=True)
    begin = schemas.moment()
    end = schemas.moment()
    by_itself = fields.Boolean(required=True, metadata={"description": "started by the service for a late player"})


class Absences(Schema):
    """Current and future absences, and the whole days left in a year of the player's time zone."""

    year = fields.Integer(required=True)
    days_left = fields.Integer(required=True)
    absences = fields.List(fields.Nested(Absence), required=True)


@api.get("/me/absences")
@api.response(200, Absences)
@api.doc(security=[{"key": [api_keys.READ]}])
def my_absences() -> dict[str, Any]:
    """List the caller's current and future absences."""
    with transaction() as ctx:
        return _absences_data(ctx, auth.require(ctx, api_keys.READ).player)


@api.post("/me/absences")
@api.arguments(NewAbsence)
@api.response(201, Absences)
@api.alt_response(422, schema=schemas.Problem, description="the days are past, too many, or more than are left")
@api.doc(security=[{"key": [api_keys.PLAY]}])
def go_away(wanted: dict[str, Any]) -> dict[str, Any]:
    """Add an absence; one that it overlaps becomes part of it."""
    with transaction() as ctx:
        player = auth.require(ctx, api_keys.PLAY).player
        try:
            absences.start(ctx, player, DateRange(wanted["first"], wanted["last"]))
        except Refused as refused:
            refuse(422, str(refused), {"json": {"last": [str(refused)]}})
        return _absences_data(ctx, player)


@api.delete("/me/absences/<int:absence>")
@api.response(200, Absences)
@api.alt_response(404, schema=schemas.Problem, description="no such absence, or it is over")
@api.doc(security=[{"key": [api_keys.PLAY]}])
def come_back(absence: int) -> dict[str, Any]:
    """End an absence, or cancel it before it begins."""
    with transaction() as ctx:
        player = auth.require(ctx, api_keys.PLAY).player
        if absence > MAX_ID or absences.end_or_cancel(ctx, player, absence) is None:
            refuse(404, marked("Nothing changed: you were not away."))
        return _absences_data(ctx, player)


def _absences_data(ctx: Context, player: Player) -> dict[str, Any]:
    year = absences.current_year(ctx, player)
    return {
        "year": year,
        "days_left": absences.days_left(ctx, player, year),
        "absences": [
            {
                "id": one.id,
                "begin": timestamp(one.started_at),
                "end": timestamp(one.ended_at),
                "by_itself": one.automatic,
            }
            for one in absences.current_and_upcoming(ctx, player)
            if one.ended_at
        ],
    }
