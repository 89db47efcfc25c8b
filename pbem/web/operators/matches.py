"""Operators' pages of matches: lists, and each match as spectators see it, with what it waits for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import abort

from pbem.play.core.actors import MATCH
from pbem.play.operators import audit
from pbem.play.operators.search import inbound, matches, outbound
from pbem.states import MatchState
from pbem.web.common.context import transaction
from pbem.web.operators.access import after, asked, listing, numbered, page, pages
from pbem.web.operators.action_registry import links

if TYPE_CHECKING:
    from pbem.play.operators.search.matches import Looked

FEW = 5
SHOWN = {
    matches.JUDGING: "Stuck: what they were sent is not judged",
    matches.CLOCK: "Stuck: their clock has not acted",
    matches.QUIET: "Nobody has moved for a month",
    "running": "Running",
    "inviting": "Waiting for players",
    "over": "Over",
    "all": "All",
}


@pages.get("/matches")
def match_list() -> str:
    """List matches: those that are stuck, or in a state, or of a player."""
    player = numbered("player")
    show = asked("show", (*SHOWN,)) or "all"
    if show == "all" and player is None:
        show = "running"
    with transaction() as ctx:
        if show in matches.STUCK:
            rows = matches.stuck(ctx, show, after())
        else:
            rows = matches.listed(ctx, "" if show == "all" else show, player, after())
        choices = {name: said for name, said in SHOWN.items() if player is not None or name != "all"}
        return listing("matches.html", rows, show=show, choices=choices, player=player)


@pages.get("/matches/<match_id>")
def match(match_id: str) -> str:
    """Show a match."""
    with transaction() as ctx:
        found = matches.look(ctx, match_id)
        if found is None:
            abort(404)
        return page(
            "match.html",
            found=found,
            match=found.match,
            sent=inbound.submissions(ctx, match=match_id).rows[:FEW],
            mails=outbound.mails(ctx, match=match_id).rows[:FEW],
            ways_to_act=_ways(found),
            acts=audit.newest(ctx, FEW, subject=(MATCH, match_id)),
        )


def _ways(found: Looked) -> list[tuple[str, str]]:
    match = found.match
    if match.state == MatchState.OVER:
        return []
    if match.state == MatchState.INVITING:
        return links(match.id, "abort")
    clock = "resume" if found.paused else "pause"
    opened = ("open", "look") if found.opened else ("open",)
    return links(match.id, clock, "extend", "abort", *opened)
