"""The pages of ladders: the list, and each ladder with its places and challenges."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Blueprint, render_template, request

from pbem.events import ladder
from pbem.play.ladders import overview, wording
from pbem.states import ChallengeState
from pbem.web.common import lookup
from pbem.web.request import current_user, form_fields
from pbem.web.request.context import transaction
from pbem.web.request.read_replica import may_use_replica

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.db.models import Event
    from pbem.play.core.context import Context
    from pbem.play.ladders.overview import ChallengeSummary, Ladder

pages = Blueprint("ladders", __name__)

PLACES_PER_PAGE = 100
"""Maximum places of a ladder on a page."""


@pages.app_context_processor
def on_every_page() -> dict[str, Any]:
    """Add the sentences about challenges to all templates."""
    return {"ladder_words": wording}


@pages.get("/ladders")
@may_use_replica
def every() -> str:
    """List the ladders."""
    with transaction() as ctx:
        found = overview.list_all(ctx, current_user.player_id())
    return render_template("events/ladders.html", ladders=found, rules=wording.rules(ladder.REACH))


@pages.get("/ladders/<game>")
@may_use_replica
def one(game: str) -> str:
    """Show a ladder: its places, its challenges, and what the reader can do."""
    with transaction() as ctx:
        return page(ctx, lookup.ladder(ctx, game))


def page(ctx: Context, event: Event, wrong: str = "") -> str:
    """Render a ladder, with an error above it."""
    visitor = current_user.visitor()
    found = overview.load(ctx, event, current_user.player_id())
    first = _first_place(found)
    return render_template(
        "events/ladder.html",
        ladder=found,
        event=event,
        blocks=[(start, min(start + PLACES_PER_PAGE - 1, len(found.rows))) for start in _blocks(found)],
        first=first,
        rows=found.rows[first - 1 : first - 1 + PLACES_PER_PAGE],
        running=_by_name(found.unfinished),
        history=overview.history(ctx, event),
        rules=wording.rules(len(found.rows)),
        offered=ChallengeState.OFFERED,
        now=ctx.now,
        zone=visitor.zone if visitor else "UTC",
        wrong=wrong,
        kept=request.args.get("kept", "") if request.method == "GET" else "",
    )


def _by_name(unfinished: Sequence[ChallengeSummary]) -> dict[str, list[ChallengeSummary]]:
    """Return the challenges that have not ended by each of their two players."""
    found: dict[str, list[ChallengeSummary]] = {}
    for each in unfinished:
        for name in (each.challenger, each.challenged):
            found.setdefault(name, []).append(each)
    return found


def _first_place(found: Ladder) -> int:
    """Return the first place of the part that is shown: that which is asked for, or has one's own place."""
    wanted = form_fields.get_number("from") or found.own or 1
    return next((start for start in reversed(_blocks(found)) if start <= wanted), 1)


def _blocks(found: Ladder) -> range:
    return range(1, len(found.rows) + 1, PLACES_PER_PAGE)
