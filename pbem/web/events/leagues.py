"""The pages of leagues: the list, and each season with its groups."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Blueprint, render_template, request

from pbem.play.events import entries, titles
from pbem.play.leagues import deal_texts, overview, season_tables, wording
from pbem.web.common import lookup
from pbem.web.request import current_user, form_fields
from pbem.web.request.context import transaction
from pbem.web.request.read_replica import may_use_replica

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pbem.play.core.context import Context
    from pbem.play.leagues.overview import Season

pages = Blueprint("leagues", __name__)

GROUPS_PER_PAGE = 4
"""Maximum groups of a season on a page."""
MAX_NAMES = 100
"""Maximum names listed of those who have no group yet."""


@pages.app_context_processor
def on_every_page() -> dict[str, Any]:
    """Add the names and the states of events to all templates."""
    return {"event_titles": titles, "season_words": wording}


@pages.get("/leagues")
@may_use_replica
def every() -> str:
    """List the leagues with their seasons."""
    visitor = current_user.visitor()
    with transaction() as ctx:
        found = overview.leagues(ctx, current_user.player_id())
        entering = {
            one.event.id
            for league in found
            for one in (league.upcoming, *league.current)
            if one and overview.takes_entries(ctx, one)
        }
    return render_template(
        "events/leagues.html",
        leagues=found,
        entering=entering,
        zone=visitor.zone if visitor else "UTC",
    )


@pages.get("/leagues/<event_id>")
@may_use_replica
def season(event_id: str) -> str:
    """Show a season: its groups as they stand, how their players met, and the form to enter it."""
    with transaction() as ctx:
        return page(ctx, lookup.season(ctx, event_id, current_user.player_id()))


def page(ctx: Context, one: Season, typed: Mapping[str, str] | None = None, wrong: str = "", field: str = "") -> str:
    """Render a season with what was typed into one of its forms, and an error where it belongs."""
    visitor, event = current_user.visitor(), one.event
    progress = overview.progress(ctx, event)
    own_group = one.own.grp if one.own else None
    first = _first_group(own_group, progress.groups)
    numbers = range(first, min(first + GROUPS_PER_PAGE, progress.groups + 1))
    may_enter = overview.takes_entries(ctx, one)
    takes_text = one.has_entered and deal_texts.takes_texts(ctx, event)
    beside_field = bool(field) and (may_enter or takes_text)
    undrawn = overview.undrawn(ctx, event, MAX_NAMES + 1)
    return render_template(
        "events/league_season.html",
        season=one,
        event=event,
        progress=progress,
        groups=season_tables.load(ctx, event, numbers) if progress.groups else [],
        blocks=[(number, min(number + GROUPS_PER_PAGE - 1, progress.groups)) for number in _blocks(progress.groups)],
        first=first,
        own_group=own_group,
        undrawn=undrawn[:MAX_NAMES],
        has_more=len(undrawn) > MAX_NAMES,
        may_enter=may_enter,
        waits=entries.has_waiting_list(ctx, event),
        takes_text=takes_text,
        zone=visitor.zone if visitor else "UTC",
        typed=typed,
        wrong="" if beside_field else wrong,
        field_wrong={field: wrong} if beside_field else {},
        kept=request.args.get("kept", "") if request.method == "GET" else "",
    )


def _first_group(own_group: int | None, groups: int) -> int:
    """Return the first group of the part that is shown: that with the group that is asked for, or one's own."""
    wanted = form_fields.get_number("group") or own_group or 1
    return next((number for number in reversed(_blocks(groups)) if number <= wanted), 1)


def _blocks(groups: int) -> range:
    return range(1, groups + 1, GROUPS_PER_PAGE)
