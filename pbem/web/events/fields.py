"""The pages of fields: the list, and each field with its table and its deals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, abort, render_template, request

from pbem.i18n import marked
from pbem.play.events import entries, field_leaving, field_lists, field_sets, field_words, titles
from pbem.play.events.field_calendar import FIELD_GAMES
from pbem.states import EventState
from pbem.web.common import cursors
from pbem.web.request import current_user
from pbem.web.request.context import transaction
from pbem.web.request.read_replica import may_use_replica

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from pbem.db.models import Event
    from pbem.play.core.context import Context
    from pbem.play.events.field_lists import FieldSummary

pages = Blueprint("fields", __name__)

MAX_LISTED = 20
"""Maximum past fields on a page."""
UNKNOWN_FIELD = marked("There is no such field.")


@pages.get("/sets")
@may_use_replica
def every() -> str:
    """List the fields that take entries or are played, and the past ones."""
    before = decode_cursor(request.args.get("before", ""))
    with transaction() as ctx:
        current = [] if before else field_lists.current(ctx, current_user.player_id())
        past = field_lists.past(ctx, MAX_LISTED + 1, current_user.player_id(), before)
    shown = past[:MAX_LISTED]
    return render_template(
        "events/sets.html",
        current=current,
        past=shown,
        older=encode_cursor(shown[-1].event) if len(past) > MAX_LISTED else "",
        first=not before,
        field_titles=titles,
        words=field_words,
        zone=zone(),
    )


@pages.get("/fields/<int:event_id>")
@may_use_replica
def field(event_id: int) -> str:
    """Show a field: the form to enter it, who has, its deals, and its table."""
    with transaction() as ctx:
        return page(ctx, find(ctx, event_id))


def page(ctx: Context, found: FieldSummary, typed: Mapping[str, str] | None = None, wrong: str = "") -> str:
    """Render a field with what was typed into the form to enter it, and an error."""
    event = found.event
    begun = event.state != EventState.OPEN
    deals = field_sets.load_deals(ctx, event) if begun else []
    return render_template(
        "events/field.html",
        field=found,
        event=event,
        title=titles.event_title(event),
        deals=deals,
        table=field_sets.field_table(ctx, event, deals) if found.opened else [],
        entrants=[] if found.opened else entries.entrants(ctx, event),
        may_enter=entries.takes_entries(ctx, event) and not found.has_entered,
        needed=FIELD_GAMES[event.game].min_people if event.game in FIELD_GAMES else 0,
        words=field_words,
        zone=zone(),
        typed=typed,
        wrong=wrong,
        kept=request.args.get("kept", "") if request.method == "GET" else "",
    )


def leave_page(found: FieldSummary, wrong: str = "") -> str:
    """Render what leaving a field does, before it is done."""
    return render_template(
        "events/field_leave.html",
        field=found,
        title=titles.event_title(found.event),
        effect=field_leaving.consequence(found.event),
        wrong=wrong,
    )


def find(ctx: Context, event_id: int) -> FieldSummary:
    """Return the field of a URL; a 404 if there is none."""
    found = field_lists.find(ctx, event_id, current_user.player_id()) if is_id(event_id) else None
    if found is None:
        abort(404, description=UNKNOWN_FIELD)
    return found


def is_id(number: int) -> bool:
    """Return whether a number may be that of an event."""
    return number < 2**63


def encode_cursor(event: Event) -> str:
    """Format the cursor after which the next page of past fields goes on."""
    return cursors.encode(event.ended_at, str(event.id)) if event.ended_at else ""


def decode_cursor(typed: str) -> tuple[datetime, int] | None:
    """Parse a cursor of past fields; None, for the beginning of the list, if it is not valid."""
    found = cursors.decode(typed)
    return (found[0], int(found[1])) if found and found[1].isdecimal() and is_id(int(found[1])) else None


def zone() -> str:
    """Return the time zone of the visitor."""
    visitor = current_user.visitor()
    return visitor.zone if visitor else "UTC"
