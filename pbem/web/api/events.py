"""API of events: listing them, the tables of a season, entering and leaving."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.db.models import Entrant
from pbem.events import league_table
from pbem.i18n import _
from pbem.play.accounts import api_keys
from pbem.play.core.context import timestamp
from pbem.play.core.errors import Refused
from pbem.play.events import entries, field_leaving, listing, titles
from pbem.play.leagues import leaving, overview, season_tables
from pbem.states import EventKind
from pbem.web.api import auth, event_schemas, schemas
from pbem.web.common import cursors, lookup
from pbem.web.request import form_fields
from pbem.web.request.context import transaction
from pbem.web.request.errors import refuse, refuse_with
from pbem.web.request.read_replica import may_use_replica
from pbem.web.request.request_bodies import APIBlueprint

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.db.models import Event
    from pbem.play.core.context import Context
    from pbem.play.leagues.season_tables import GroupTable, SeasonMatch

api = APIBlueprint("api events", __name__, url_prefix="/api", description="Events")

PAGE_SIZE = 30
"""Maximum events in an answer."""
GROUPS_PER_PAGE = 20
"""Maximum groups of a season in an answer."""
MAX_UNDRAWN = 1000
"""Maximum names in an answer of entrants without a group."""


@api.get("/events")
@api.arguments(event_schemas.EventsPage, location="query")
@api.response(200, event_schemas.EventList)
@may_use_replica
def events(wanted: dict[str, Any]) -> dict[str, Any]:
    """List events: seasons of leagues, ladders and fields."""
    after = _parse_cursor(wanted.pop("after"))
    with transaction() as ctx:
        found = listing.list_page(ctx, listing.EventFilter(**wanted), after, most=PAGE_SIZE + 1)
    last = found[PAGE_SIZE - 1].event if len(found) > PAGE_SIZE else None
    return {
        "events": [_event_data(*one) for one in found[:PAGE_SIZE]],
        "next": cursors.encode(last.opens_at, str(last.id)) if last else None,
    }


@api.get("/events/<event_id>")
@api.arguments(event_schemas.GroupsPage, location="query")
@api.response(200, event_schemas.EventDetails)
@api.alt_response(404, schema=schemas.Problem, description="no such event")
@may_use_replica
def event(wanted: dict[str, Any], event_id: str) -> dict[str, Any]:
    """Show an event; of a season its groups as they stand, with their matches."""
    first = wanted["after"] + 1
    with transaction() as ctx:
        found = lookup.event(ctx, event_id)
        numbers = range(first, first + GROUPS_PER_PAGE)
        is_season = found.event.kind == EventKind.LEAGUE
        tables = season_tables.load(ctx, found.event, numbers) if is_season else []
        undrawn = overview.undrawn(ctx, found.event, MAX_UNDRAWN)
        groups = overview.progress(ctx, found.event).groups
    last = first + GROUPS_PER_PAGE - 1
    return _event_data(*found) | {
        "groups": [_group_data(table) for table in tables],
        "next": last if last < groups else None,
        "undrawn": undrawn,
    }


@api.post("/events/<event_id>/entries")
@api.arguments(event_schemas.NewEntry, required=False)
@api.response(201, event_schemas.EntryData)
@api.alt_response(404, schema=schemas.Problem, description="no such field or season of a league")
@api.alt_response(409, schema=schemas.Problem, description="the caller cannot enter it, and why")
@api.doc(security=[{"key": [api_keys.START]}])
def enter(wanted: dict[str, Any], event_id: str) -> dict[str, Any]:
    """Enter the caller into a field, or a season of a league, or put them on its waiting list."""
    with transaction() as ctx:
        player = auth.require(ctx, api_keys.START).player
        entered = _enterable(ctx, event_id)
        try:
            with ctx.session.begin_nested():
                entrant = entries.enter(
                    ctx,
                    entered,
                    player,
                    wanted["name"] or player.name,
                    text=wanted["entropy"],
                    household=wanted["household"],
                    stays=wanted["stays"] and entered.kind == EventKind.LEAGUE,
                )
        except Refused as refused:
            refuse_with(refused)
        return _entry_data(entrant)


@api.delete("/events/<event_id>/entries")
@api.response(200, event_schemas.EntryData)
@api.alt_response(404, schema=schemas.Problem, description="no such field or season of a league")
@api.alt_response(409, schema=schemas.Problem, description="the caller does not take part in it, or it is over")
@api.doc(security=[{"key": [api_keys.PLAY]}])
def leave(event_id: str) -> dict[str, Any]:
    """Withdraw the caller from a field or a season; what that means for their matches is the same as by page."""
    with transaction() as ctx:
        player = auth.require(ctx, api_keys.PLAY).player
        entered = _enterable(ctx, event_id)
        try:
            with ctx.session.begin_nested():
                if entered.kind == EventKind.LEAGUE:
                    leaving.leave(ctx, entered, player.id)
                else:
                    field_leaving.leave(ctx, entered, player)
        except Refused as refused:
            refuse_with(refused)
        return _entry_data(ctx.session.get_one(Entrant, (entered.id, player.id)))


@api.get("/me/events")
@api.response(200, event_schemas.OwnEvent(many=True))
@api.doc(security=[{"key": [api_keys.READ]}])
def my_events() -> list[dict[str, Any]]:
    """List the events that the caller takes part in and that are not over, the earliest begin first."""
    with transaction() as ctx:
        found = listing.own_events(ctx, auth.require(ctx, api_keys.READ).player.id)
    return [_event_data(one.event, one.entrants) | {"entry": _entry_data(one.entrant)} for one in found]


def _enterable(ctx: Context, typed: str) -> Event:
    """Return a field or a season of a league; ladders have calls of their own."""
    found = lookup.event(ctx, typed).event
    if found.kind == EventKind.LADDER:
        refuse(404, _("Ladders are entered at /api/ladders/{game}/entries.", game=found.game))
    return found


def _parse_cursor(typed: str) -> tuple[datetime, int] | None:
    """Parse the cursor of a list of events; None, for its beginning, if it is not valid."""
    place = cursors.decode(typed)
    number = form_fields.parse_number(place[1], form_fields.MAX_ID_DIGITS) if place else None
    return (place[0], number) if place and number is not None else None


def _event_data(one: Event, entrants: int) -> dict[str, Any]:
    return {
        "id": one.id,
        "kind": one.kind,
        "game": one.game,
        "title": titles.event_title(one),
        "season": one.season,
        "state": one.state,
        "options": one.options,
        "clock": one.time_control,
        "opens": timestamp(one.opens_at),
        "draws": timestamp(one.draws_at) if one.draws_at else None,
        "begins": timestamp(one.starts_at) if one.starts_at else None,
        "ends": timestamp(one.ends_at) if one.ends_at else None,
        "ended": timestamp(one.ended_at) if one.ended_at else None,
        "entrants": entrants,
    }


def _group_data(table: GroupTable) -> dict[str, Any]:
    return {
        "number": table.number,
        "standings": [
            {
                "place": row.place,
                "name": table.entrants[row.player].name,
                "points": row.points,
                "decided": row.meetings,
                "direct": row.direct,
                "tie_break": row.tie_break,
                "won": row.wins,
                "left": row.has_left,
                "leads_to": league_table.next_group(table.number, table.movements[row.player]) if row.place else None,
            }
            for row in table.rows
        ],
        "matches": [_match_data(one) for one in table.matches],
    }


def _match_data(one: SeasonMatch) -> dict[str, Any]:
    ended_at = one.result.ended_at
    return {
        "match": one.id,
        "state": one.state,
        "players": [*one.names],
        "counts": one.result.counts,
        "ended": timestamp(ended_at) if ended_at else None,
    }


def _entry_data(entrant: Entrant) -> dict[str, Any]:
    return {
        "event": entrant.event_id,
        "name": entrant.name,
        "state": entrant.state,
        "group": entrant.grp,
        "place": entrant.place,
        "stays": entrant.stays,
    }
