"""The start page, and creating a match."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from flask import Blueprint, Response, abort, redirect, render_template, request, url_for

from pbem.boards import DARK_CSS
from pbem.boards.prose import possessive, series
from pbem.db.models import Match, Player
from pbem.games import GAMES
from pbem.i18n import _
from pbem.play.accounts import dashboard, guests
from pbem.play.core.errors import Refused
from pbem.play.lifecycle import create
from pbem.play.lifecycle.match_requests import Invitee, MatchRequest, Terms
from pbem.play.lobby import open_tables, request_parser
from pbem.play.matches import descriptions, pairs
from pbem.play.matches.seats import holders
from pbem.play.players import registry
from pbem.play.weekly import weeks
from pbem.robots import Level
from pbem.time_format import format_full_moment
from pbem.web.common import board_images, robot_levels, times
from pbem.web.common.messages import UNKNOWN_GAME, UNKNOWN_MATCH
from pbem.web.common.seat_link import hold_seat
from pbem.web.common.urls import turn_page
from pbem.web.lobby import game_cards, new_match_form
from pbem.web.request import csrf, throttling
from pbem.web.request.context import service, transaction
from pbem.web.request.current_user import visitor

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    from pbem.play.accounts.dashboard import MatchSummary
    from pbem.play.core.context import Context
    from pbem.play.weekly.weeks import Week

pages = Blueprint("home", __name__)

MADE_MINUTES = 60
"""Minutes for which the creator of a match, private or not, is shown what happens next."""


@pages.app_context_processor
def on_every_page() -> dict[str, Any]:
    """Add the functions and settings that any template may need."""
    config = service().config
    return {
        "stays_here": config.is_mail_local,
        "mailbox": bool(config.dev_mailbox),
        "imprint_url": config.imprint_url,
        "privacy_url": config.privacy_url,
        "nonce": csrf.nonce,
        "telling": descriptions,
        "pictures": board_images,
        "series": series,
        "possessive": possessive,
        "moment": times.moment,
        "deadline": times.deadline,
        "full_moment": format_full_moment,
        "GAMES": GAMES,
    }


@pages.get("/")
def first() -> str:
    """Show the start page."""
    return render_template(
        "lobby/home.html",
        local=_is_local(),
        cards=game_cards.all_cards(),
        quick=new_match_form.parse("minimax", {}, Level.FAIR, prefill=True).places[0],
        levels={key: robot_levels.choices(key, game.seats[0]) for key, game in GAMES.items()},
        preferred_level=robot_levels.preferred,
        urgent=_most_urgent(),
        weekly=_present_week(),
    )


@pages.get("/boards.css")
def dark_boards() -> Response:
    """Return the dark colours of boards, for readers whose device prefers them."""
    return Response(DARK_CSS, content_type="text/css; charset=utf-8", headers={"Cache-Control": "max-age=3600"})


@pages.get("/new/<game>")
def new(game: str) -> str:
    """Show the form for a match of a game."""
    if game not in GAMES:
        abort(404, description=UNKNOWN_GAME)
    return _page(new_match_form.parse(game, request.args, robot_levels.preferred(game), prefill=_is_local()))


@pages.post("/new/<game>")
def make(game: str) -> ResponseReturnValue:
    """Create a match; one without other people leads straight to its first turn, where no mail could be misdirected."""
    if game not in GAMES:
        abort(404, description=UNKNOWN_GAME)
    form = new_match_form.parse(game, request.form, robot_levels.preferred(game))
    if not csrf.is_valid(f"new {game}"):
        return _page(form, _(csrf.OLD_FORM)), 400
    if "reckon" in request.form:
        return _page(form)
    signed_in = visitor()
    known = service().config.allow_anonymous or signed_in is not None
    terms = Terms(
        form.clock,
        form.on_time or None,
        int(form.reliable) if form.reliable else None,
        rated=False if form.watched == new_match_form.FRIENDLY else None,
        public=form.watched != new_match_form.PRIVATE and not (signed_in and signed_in.guest),
        bots=form.bots,
        open_if_declined=form.open_if_declined,
    )
    try:
        with transaction() as ctx:
            throttling.hit(ctx, throttling.per_network("match", throttling.MAX_MATCHES_PER_HOUR))
            host = ctx.session.get_one(Player, signed_in.player) if signed_in else None
            if host:
                request_parser.hit_daily_limit(ctx, host)
                form = replace(form, you=_own_seat(ctx, host, form))
            match_request = MatchRequest(
                game,
                form.chosen_options,
                form.guests(),
                terms,
                creator_seat=1,
                known=known,
                host=host,
                invitation_text=form.words,
                there_and_back=form.there_and_back,
            )
            match = create.create_match(ctx, match_request)
            creator = holders(ctx, match)[0].player
            if creator.created_at == match.created_at:
                registry.adopt_zone(creator, request.form.get("zone", ""))
            then = url_for("home.made", match_id=match.id, own=csrf.proof(f"made {match.id}"))
            if known and form.unaccompanied:
                # A robot that begins, and thinks, makes this link an old one before its player has acted.
                hold_seat(ctx, own := holders(ctx, match)[0])
                then = turn_page(ctx, match, own)
    except Refused as refused:
        return _page(form.with_error(refused.field, str(refused)), str(refused), refused.field), 422
    response = redirect(then, 303)
    robot_levels.remember(response, form.robots)
    return response


@pages.get("/made/<match_id>")
def made(match_id: str) -> ResponseReturnValue:
    """Show the creator of a match what happens next; lead others to its public page."""
    signed_in = visitor()
    proven = csrf.is_valid_proof(request.args.get("own", ""), f"made {match_id}", MADE_MINUTES * 60)
    with transaction() as ctx:
        match = ctx.session.get(Match, match_id)
        own = proven or (match is not None and signed_in is not None and match.host_id == signed_in.player)
        if match is None or not (match.public or own):
            abort(404, description=UNKNOWN_MATCH)
        if not own:
            return redirect(url_for("matches.match", match_id=match_id), 303)
        present = holders(ctx, match)
        waited = [holder for holder in present if match.seats[holder.seat - 1].accepted_at is None]
        return render_template(
            "lobby/match_created.html",
            match=match,
            holders=present,
            waited=waited,
            first_to_accept=any(holder.seat == match.creator_seat for holder in waited),
            invited_later=[holder.name for holder in waited if holder.seat != match.creator_seat],
            game=GAMES[match.game],
            pair=pairs.facts(ctx, match),
            sender=service().config.service_address,
            link=open_tables.invitation_link(service().config, match.id) if match.open_seats else "",
        )


def _page(form: new_match_form.Form, wrong: str = "", field: str = "") -> str:
    """Render the form with what was typed, and an error where it belongs."""
    at_place = any(place.wrong for place in form.places)
    game = GAMES[form.game]
    return render_template("lobby/new_match.html", game=game, form=form, wrong="" if at_place else wrong, field=field)


def _own_seat(ctx: Context, host: Player, form: new_match_form.Form) -> Invitee:
    """Return the signed-in player as the player of the first seat; a guest may play alone or against robots only."""
    if not guests.is_guest(ctx, host):
        return Invitee(host.name, registry.verified_address(ctx, host))
    if not form.unaccompanied:
        raise Refused(_("To play with other people, sign in with your mail address first. Your matches stay yours."))
    return guests.invitee(host)


def _most_urgent() -> MatchSummary | None:
    """Return the match that waits most urgently for the signed-in player, if one does."""
    signed_in = visitor()
    if signed_in is None or not signed_in.waits:
        return None
    with transaction() as ctx:
        first = next(iter(dashboard.unfinished(ctx, signed_in.player)), None)
    return first if first and first.waits else None


def _present_week() -> Week | None:
    """Return the running week of Minimax, if there is one."""
    with transaction() as ctx:
        return weeks.present(ctx)


def _is_local() -> bool:
    """Return whether the service is local: all mail stays on this machine, which has a mailbox page."""
    return service().config.is_mail_local and service().config.dev_mailbox is not None
