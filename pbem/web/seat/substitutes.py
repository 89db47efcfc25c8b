"""Pages to take over a seat of a running match, and to reclaim one's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, abort, redirect, render_template, url_for

from pbem.db.models import Match, Player
from pbem.games import GAMES
from pbem.i18n import _
from pbem.play.accounts import dashboard
from pbem.play.core.errors import Refused
from pbem.play.matches import seats
from pbem.play.matches.views import player_names
from pbem.play.timeouts import nominations, reclaims, substitutes
from pbem.web.common import lookup
from pbem.web.common.messages import UNKNOWN_LINK, UNKNOWN_TABLE
from pbem.web.common.urls import turn_page
from pbem.web.request import csrf, current_user
from pbem.web.request.context import transaction

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    from pbem.db.models import SeatHolder
    from pbem.play.core.context import Context
    from pbem.play.timeouts.nominations import Nomination

pages = Blueprint("substitutes", __name__)

MAX_LISTED = 50
"""Maximum seats listed at once."""


@pages.get("/seats")
def sought() -> str:
    """List the seats of public matches that need a substitute."""
    with transaction() as ctx:
        seats_to_take = substitutes.list_open_seats(ctx, MAX_LISTED, current_user.player_id())
        return render_template("seat/seats_to_take_over.html", seats=seats_to_take)


@pages.get("/matches/<match_id>/seats/<int:seat>")
def look(match_id: str, seat: int) -> ResponseReturnValue:
    """Show a match as spectators see it, with the form to take over a seat."""
    with transaction() as ctx:
        return _take_over_page(ctx, _find_match(ctx, match_id, seat), seat)


@pages.post("/matches/<match_id>/seats/<int:seat>")
def take(match_id: str, seat: int) -> ResponseReturnValue:
    """Take over a seat, and go on to its turn."""
    visitor = current_user.visitor()
    if visitor is None:
        then = url_for("substitutes.look", match_id=match_id, seat=seat)
        return redirect(url_for("sign_in.ask", then=then), 303)
    with transaction() as ctx:
        match = _find_match(ctx, match_id, seat)
        if not csrf.is_valid(f"take over {match.id} {seat}"):
            return _take_over_page(ctx, match, seat, _(csrf.OLD_FORM)), 400
        try:
            holder = substitutes.take_over(ctx, match, seat, ctx.session.get_one(Player, visitor.player))
        except Refused as refused:
            return _take_over_page(ctx, match, seat, str(refused)), 409
        return redirect(turn_page(ctx, match, holder), 303)


@pages.get("/named/<signed>")
def named(signed: str) -> str:
    """Show a match to the nominated substitute."""
    with transaction() as ctx:
        return _nomination_page(ctx, _find_nomination(ctx, signed), signed)


@pages.post("/named/<signed>")
def accept(signed: str) -> ResponseReturnValue:
    """Take the seat as the nominated substitute, and go on to its turn."""
    with transaction() as ctx:
        nomination = _find_nomination(ctx, signed)
        if not csrf.is_valid(f"named {nomination.late_holder.id}"):
            return _nomination_page(ctx, nomination, signed, _(csrf.OLD_FORM)), 400
        try:
            holder = nominations.accept(ctx, nomination)
        except Refused as refused:
            return _nomination_page(ctx, nomination, signed, str(refused)), 409
        return redirect(turn_page(ctx, nomination.match, holder), 303)


@pages.get("/back/<signed>")
def back(signed: str) -> str:
    """Show a player whose seat the robot plays the form to reclaim it."""
    with transaction() as ctx:
        holder = _find_former_player(ctx, signed)
        return _reclaim_page(ctx, ctx.session.get_one(Match, holder.match_id), holder.player_id, signed)


@pages.post("/back/<signed>")
def come_back(signed: str) -> ResponseReturnValue:
    """Return a seat to its player, at once or when the next hand is dealt."""
    with transaction() as ctx:
        holder = _find_former_player(ctx, signed)
        match = ctx.session.get_one(Match, holder.match_id)
        if not csrf.is_valid(f"back {match.id}"):
            return _reclaim_page(ctx, match, holder.player_id, signed, _(csrf.OLD_FORM)), 400
        return _reclaim(ctx, match, holder.player, signed)


@pages.post("/mine/<match_id>/back")
def come_back_signed_in(match_id: str) -> ResponseReturnValue:
    """Return a seat to the signed-in player, from the dashboard."""
    visitor = current_user.require()
    with transaction() as ctx:
        match = lookup.reclaimable_match(ctx, match_id, visitor.player)
        if not csrf.is_valid(f"back {match.id}"):
            return redirect(url_for("dashboard.mine"), 303)
        return _reclaim(ctx, match, ctx.session.get_one(Player, visitor.player), "")


def _reclaim(ctx: Context, match: Match, player: Player, signed: str) -> ResponseReturnValue:
    try:
        seated_now = reclaims.request(ctx, match, player)
    except Refused as refused:
        return _reclaim_page(ctx, match, player.id, signed, str(refused)), 409
    holder = dashboard.find_holder(ctx, match.id, player.id)
    if seated_now and holder:
        return redirect(turn_page(ctx, match, holder), 303)
    return _reclaim_page(ctx, match, player.id, signed)


def _reclaim_page(ctx: Context, match: Match, player: int, signed: str, wrong: str = "") -> str:
    return render_template(
        "seat/reclaim.html",
        match=match,
        game=GAMES[match.game],
        names=tuple(one.name for one in seats.holders(ctx, match)),
        signed=signed,
        possible=match in reclaims.list_matches(ctx, player),
        is_requested=reclaims.is_requested(ctx, match, player),
        wrong=wrong,
    )


def _take_over_page(ctx: Context, match: Match, seat: int, wrong: str = "") -> str:
    visitor = current_user.visitor()
    seat_of_user = dashboard.find_holder(ctx, match.id, visitor.player) if visitor else None
    return render_template(
        "seat/take_over.html",
        action=url_for("substitutes.take", match_id=match.id, seat=seat),
        purpose=f"take over {match.id} {seat}",
        host="",
        user_name=visitor.name if visitor else "",
        is_seated=seat_of_user is not None,
        is_open=substitutes.is_open_to(ctx, match, seat, visitor.player if visitor else None),
        late_player=player_names(ctx, match)[seat - 1],
        match=match,
        game=GAMES[match.game],
        wrong=wrong,
        **substitutes.public_facts(ctx, match),
    )


def _nomination_page(ctx: Context, nomination: Nomination, signed: str, wrong: str = "") -> str:
    holders, is_open = seats.holders(ctx, nomination.match), nominations.is_open(ctx, nomination)
    return render_template(
        "seat/take_over.html",
        action=url_for("substitutes.accept", signed=signed),
        purpose=f"named {nomination.late_holder.id}",
        host=next((one.name for one in holders if one.player_id == nomination.match.host_id), ""),
        user_name=nomination.name,
        is_seated=False,
        is_open=is_open,
        late_player=nomination.late_holder.name,
        match=nomination.match,
        game=GAMES[nomination.match.game],
        wrong=wrong,
        # The link opens a private match only while its nomination is open.
        **(substitutes.public_facts(ctx, nomination.match) if is_open else {"view": None}),
    )


def _find_match(ctx: Context, match_id: str, seat: int) -> Match:
    match = ctx.session.get(Match, match_id)
    if match is None or not match.public or match.seed is None or not 1 <= seat <= len(match.seats):
        abort(404, description=UNKNOWN_TABLE)
    lookup.check_table(ctx, match)
    return match


def _find_nomination(ctx: Context, signed: str) -> Nomination:
    nomination = nominations.load_signed(ctx, signed)
    if nomination is None:
        abort(404, description=UNKNOWN_LINK)
    return nomination


def _find_former_player(ctx: Context, signed: str) -> SeatHolder:
    holder = reclaims.load_signed(ctx, signed)
    if holder is None:
        abort(404, description=UNKNOWN_LINK)
    return holder
