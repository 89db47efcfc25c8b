"""Matches as anybody may see them: what there is to look at, and each by itself."""

from __future__ import annotations

from flask import Blueprint, Response, abort, render_template, request

from pbem.boards import drawing_of
from pbem.db.models import Match
from pbem.games import GAMES
from pbem.play import deliveries, matches, records, standing, standstills, stills, telling, watching
from pbem.play.history import course_of
from pbem.play.views import names_of
from pbem.web import link_cards, places, sharing
from pbem.web.here import table
from pbem.web.messages import UNKNOWN_MATCH
from pbem.web.reading import may_be_older, settled
from pbem.web.visiting import visitor

pages = Blueprint("matches", __name__)

RELOAD_SECONDS = 30
"""How often the page loads itself again, for readers without scripts who ask for that."""

LISTED = 20
"""So many matches of a kind are listed."""


@pages.get("/matches")
@may_be_older
def lists() -> str:
    """List the public matches that are being played, and those that ended last; or older ones, or those of a game."""
    typed, before = request.args.get("game", ""), places.read(request.args.get("before", ""))
    wanted = typed if typed in GAMES else ""
    with table() as at:
        over = watching.finished(at, LISTED + 1, wanted, before)
        played = [] if wanted or before else watching.played(at, LISTED)
    more = len(over) > LISTED and over[LISTED - 1].match
    older = more and more.ended_at and places.written(more.ended_at, more.id)
    return render_template(
        "matches.html", played=played, over=over[:LISTED], older=older, wanted=wanted, first=not wanted and not before
    )


@pages.get("/matches/<match_id>")
@may_be_older
def match(match_id: str) -> Response:
    """Show a public match: its board, what happened, whose turn it is, and the proof of it."""
    looking = visitor()
    zone = looking.zone if looking else "UTC"
    with table() as at:
        found = at.session.get(Match, match_id)
        if found is None or not records.is_open(found, request.args.get("key", "")):
            abort(404, description=UNKNOWN_MATCH)
        settled(found)
        names = names_of(at, found)
        failed = [] if found.state == "over" else deliveries.told(at, found, names)
        failed += [] if found.state == "over" else standstills.told(at, found, names, zone)
        game = GAMES[found.game]
        standings = standing.of_holders(at, matches.holders(at, found))
        if found.seed is None:
            accepted = {place.seat for place in found.seats if place.accepted_at}
            players = [
                (holder.name, holder.seat in accepted, standings.get(holder.seat))
                for holder in matches.holders(at, found)
            ]
            page = render_template(
                "match_waiting.html",
                match=found,
                game=game,
                names=names,
                players=players,
                failed=failed,
                card=link_cards.of_match(found, names),
            )
            return _unless_known(page)
        view, opened = watching.seen(course_of(at, found), names)
        awaited = watching.awaited(at, found, names)
    page = render_template(
        "match.html",
        match=found,
        shared=None if found.public else records.shared_key(found),
        game=game,
        names=names,
        view=view,
        opened=opened,
        told=telling.told(found.game, view["log"], names),
        failed=failed,
        awaited=awaited,
        standings=standings,
        zone=zone,
        card=link_cards.of_match(found, names, stills.standing(found, names, view["to_move"]), view["board"]),
        share=sharing.share(found, names, drawing_of(found.game).svg(view["board"], names)),
        mark=watching.mark(found),
        reload=RELOAD_SECONDS if "reload" in request.args else 0,
    )
    return _unless_known(page)


def _unless_known(page: str) -> Response:
    """Answer with a page, or say that it is as its reader has it already."""
    response = Response(page)
    response.headers["Cache-Control"] = "private, no-cache"
    response.vary.add("Cookie")
    response.add_etag()
    response.make_conditional(request)
    return response
