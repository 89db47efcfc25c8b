"""A match as anybody may see it."""

from __future__ import annotations

from flask import Blueprint, abort, render_template

from pbem.db.models import Match
from pbem.games import GAMES
from pbem.games.hidden import Eye
from pbem.play import deliveries, matches, telling
from pbem.play.history import course_of
from pbem.play.views import names_of, shown
from pbem.web.api import UNKNOWN_MATCH
from pbem.web.here import table

pages = Blueprint("matches", __name__)


@pages.get("/matches/<match_id>")
def match(match_id: str) -> str:
    """Show a public match: its board, what happened, whose turn it is, and the proof of it."""
    with table() as at:
        found = at.session.get(Match, match_id)
        if found is None or not found.public:
            abort(404, description=UNKNOWN_MATCH)
        names = names_of(at, found)
        failed = [] if found.state == "over" else deliveries.told(at, found, names)
        game = GAMES[found.game]
        if found.seed is None:
            accepted = {place.seat for place in found.seats if place.accepted_at}
            players = [(holder.name, holder.seat in accepted) for holder in matches.holders(at, found)]
            return render_template(
                "match_waiting.html", match=found, game=game, names=names, players=players, failed=failed
            )
        view = shown(course_of(at, found), Eye.PUBLIC, names)
    told = telling.told(found.game, view["log"], names)
    return render_template("match.html", match=found, game=game, names=names, view=view, told=told, failed=failed)
