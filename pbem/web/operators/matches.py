"""Operators' pages of matches: lists, and each match as spectators see it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import abort

from pbem.play.core.actors import MATCH
from pbem.play.operators.search import inbound, matches, outbound
from pbem.states import MatchState
from pbem.web.operators.access import (
    RECENT_ROWS,
    number_filter,
    page_cursor,
    pages,
    recent_actions,
    render_list,
    render_page,
    text_filter,
)
from pbem.web.operators.action_registry import links
from pbem.web.request.context import transaction

if TYPE_CHECKING:
    from pbem.play.operators.search.matches import MatchDetails

LISTS = {
    matches.JUDGING: "Stuck: moves are not judged",
    matches.CLOCK: "Stuck: a deadline was not enforced",
    matches.QUIET: "No move for a month",
    "running": "Running",
    "inviting": "Waiting for players",
    "over": "Finished",
    "all": "All",
}


@pages.get("/matches")
def match_list() -> str:
    """List matches that are stuck, in one state, or of one player."""
    player = number_filter("player")
    show = text_filter("show", (*LISTS,)) or "all"
    if show == "all" and player is None:
        show = "running"
    with transaction() as ctx:
        if show in matches.STUCK_REASONS:
            rows = matches.stuck(ctx, show, page_cursor())
        else:
            rows = matches.list_by_state(ctx, "" if show == "all" else show, player, page_cursor())
        choices = {name: label for name, label in LISTS.items() if player is not None or name != "all"}
        return render_list("matches.html", rows, show=show, choices=choices, player=player)


@pages.get("/matches/<match_id>")
def match(match_id: str) -> str:
    """Show a match."""
    with transaction() as ctx:
        found = matches.load_details(ctx, match_id)
        if found is None:
            abort(404)
        return render_page(
            "match.html",
            found=found,
            match=found.match,
            sent=inbound.submissions(ctx, match=match_id).rows[:RECENT_ROWS],
            mails=outbound.list_mails(ctx, match=match_id).rows[:RECENT_ROWS],
            actions=_action_links(found),
            acts=recent_actions(ctx, MATCH, match_id),
        )


def _action_links(found: MatchDetails) -> list[tuple[str, str]]:
    match = found.match
    if match.state == MatchState.OVER:
        counts = match.rated and match.seed is not None and match.annulled_at is None
        acts = [*(["annul"] if counts else []), *(["annul-result"] if match.event_id is not None else [])]
        return links(match.id, *acts)
    if match.state == MatchState.INVITING:
        return links(match.id, "abort")
    clock = "resume" if found.paused else "pause"
    opened = ("open", "look") if found.opened else ("open",)
    return links(match.id, clock, "extend", "abort", *opened)
