"""Matches as spectators see them: the lists, and each match."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Blueprint, Response, render_template, request, url_for

from pbem.boards import Turn, drawing_for
from pbem.db.models import Player
from pbem.games import GAMES
from pbem.play.accounts import dashboard
from pbem.play.archive import comments, share_images
from pbem.play.clocks import clock_pauses
from pbem.play.clocks.timeout_policies import VOTE
from pbem.play.deadlines import turn_deadlines
from pbem.play.events import titles
from pbem.play.lifecycle import rematches
from pbem.play.matches import descriptions, pairs, share_keys, spectating, withheld
from pbem.play.matches.match_state import load_match
from pbem.play.matches.seats import holders
from pbem.play.matches.views import player_names, robot_levels
from pbem.play.moderation import avoidance
from pbem.play.players import reachability, reliability
from pbem.play.ratings import standings as rating_standings
from pbem.play.ratings import wording
from pbem.play.timeouts import votes
from pbem.states import DeadlinePhase, MatchState
from pbem.web.common import board_images, cursors, lookup, own_seat, par_part
from pbem.web.matches import share, social_cards
from pbem.web.request.context import transaction
from pbem.web.request.current_user import player_id, visitor
from pbem.web.request.read_replica import may_use_replica

if TYPE_CHECKING:
    from pbem.db.models import Match
    from pbem.play.accounts.login_sessions import CurrentUser
    from pbem.play.core.context import Context

pages = Blueprint("matches", __name__)

RELOAD_SECONDS = 30
"""Seconds after which the page reloads itself, for readers without scripts who ask for that."""

MAX_LISTED = 20
"""Maximum matches of a kind that are listed."""


@pages.get("/matches")
@may_use_replica
def lists() -> str:
    """List the public matches in play and those that ended last; or older ones, or those of a game."""
    typed, before = request.args.get("game", ""), cursors.decode(request.args.get("before", ""))
    wanted = typed if typed in GAMES else ""
    with transaction() as ctx:
        over = spectating.finished_matches(ctx, MAX_LISTED + 1, wanted, before)
        played = [] if wanted or before else spectating.running_matches(ctx, MAX_LISTED)
    more = len(over) > MAX_LISTED and over[MAX_LISTED - 1].match
    older = more and more.ended_at and cursors.encode(more.ended_at, more.id)
    return render_template(
        "matches/matches.html",
        played=played,
        over=over[:MAX_LISTED],
        older=older,
        wanted=wanted,
        first=not wanted and not before,
    )


@pages.get("/matches/<match_id>")
@may_use_replica
def match(match_id: str) -> Response:
    """Show a public match: its board, what happened, whose turn it is, and the proof of it."""
    user = visitor()
    zone = user.zone if user else "UTC"
    with transaction() as ctx:
        found = lookup.known_match(ctx, match_id)
        lookup.check_visible(ctx, found, player_id())
        names, event = player_names(ctx, found), titles.for_match(ctx, found)
        failed: list[str] = []
        if found.state != MatchState.OVER:
            failed += reachability.describe_unreachable_seats(ctx, found, names)
            failed += clock_pauses.describe_absences(ctx, found, names, zone)
        game = GAMES[found.game]
        standings = reliability.for_holders(ctx, holders(ctx, found))
        if found.seed is None:
            accepted = {place.seat for place in found.seats if place.accepted_at}
            players = [
                (holder.name, holder.seat in accepted, standings.get(holder.seat)) for holder in holders(ctx, found)
            ]
            page = render_template(
                "matches/match_waiting.html",
                match=found,
                event=event,
                game=game,
                names=names,
                players=players,
                failed=failed,
                pair=pairs.facts(ctx, found),
                card=social_cards.match_card(found, names),
            )
            return _conditional_response(page)
        if withheld.hides_table(found):
            return _conditional_response(_closed_page(ctx, found, names, zone))
        view, opened = spectating.spectator_view(load_match(ctx, found), names)
        listed = descriptions.mark_robots(names, robot_levels(ctx, found))
        running = found.state == MatchState.RUNNING
        deadlines = turn_deadlines.for_match(ctx, found) if running else []
        awaited = spectating.awaited_players(ctx, found, names, deadlines)
        lapses = _load_lapses(ctx, found, user) if running else None
        own = own_seat.find(ctx, found)
        may_play_again = user is not None and _may_request_rematch(ctx, found, user)
        shared = None if found.public else share_keys.shared_key(found)
        sat = own or comments.find_author_seat(ctx, found, user.player if user else None)
        par = None if running else par_part.load(ctx, found, sat, url_for("par.match", match_id=match_id, key=shared))
        present = holders(ctx, found)
        ratings = rating_standings.for_seats(ctx, found, present, player_id())
        rating_note = wording.rating_note(found, present)
        pair = pairs.facts(ctx, found)
        record_withheld = withheld.explain(ctx, found) if withheld.hides_record(found) else ""
    svg = drawing_for(found.game).svg(view["board"], names, turn=Turn.of_view(view))
    page = render_template(
        "matches/match.html",
        match=found,
        event=event,
        shared=shared,
        par=par,
        game=game,
        names=names,
        listed=listed,
        view=view,
        opened=opened,
        events=descriptions.log_sentences(found.game, view["log"], names),
        failed=failed,
        awaited=awaited,
        lapses=lapses,
        may_play_again=may_play_again,
        own=own,
        standings=standings,
        ratings=ratings,
        rating_note=rating_note,
        pair=pair,
        withheld=record_withheld,
        zone=zone,
        card=social_cards.match_card(found, names, share_images.caption(found, names, view["to_move"]), view["board"]),
        drawn=board_images.inline_svg(svg),
        share=share.share(found, names, svg),
        mark=spectating.version_mark(found),
        reload=RELOAD_SECONDS if "reload" in request.args else 0,
    )
    return _conditional_response(page)


def _closed_page(ctx: Context, found: Match, names: tuple[str, ...], zone: str) -> str:
    """Render who sits at a match whose table is withheld, and how far they are."""
    sentence = withheld.explain(ctx, found, zone)
    return render_template(
        "matches/match_closed.html",
        match=found,
        game=GAMES[found.game],
        names=names,
        listed=descriptions.mark_robots(names, robot_levels(ctx, found)),
        sentence=sentence,
        own=own_seat.find(ctx, found),
        card=social_cards.match_card(found, names, sentence),
    )


def _load_lapses(ctx: Context, found: Match, user: CurrentUser | None) -> dict[str, Any]:
    """Return the seats whose time has run out, and whether the players, and the visitor, may vote on them."""
    rows = [row for row in turn_deadlines.for_match(ctx, found) if row.phase == DeadlinePhase.REPLACEMENT]
    is_vote = found.timeout_policy == VOTE
    late = [row.seat for row in rows if is_vote or avoidance.may_sit_together(ctx, found, player_id(), row.seat)]
    names = {one.seat: one.name for one in holders(ctx, found)}
    own = dashboard.find_holder(ctx, found.id, user.player) if user else None
    return {
        "votes": is_vote,
        "seats": [(seat, names[seat]) for seat in late],
        "may_vote": own is not None and bool(votes.open_votes(ctx, found, own)),
    }


def _may_request_rematch(ctx: Context, found: Match, user: CurrentUser) -> bool:
    return (
        found.state == MatchState.OVER
        and rematches.find_seat(ctx, found, ctx.session.get_one(Player, user.player)) is not None
        and rematches.is_possible(ctx, found)
    )


def _conditional_response(page: str) -> Response:
    """Return the response with a page, or a 304 if its reader has it already."""
    response = Response(page)
    response.headers["Cache-Control"] = "private, no-cache"
    response.vary.add("Cookie")
    response.add_etag()
    response.make_conditional(request)
    return response
