"""Guests: visitors who play alone or against robots at once, without an address, and may add one later."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, abort, redirect, render_template, request, url_for

from pbem.db.models import Player
from pbem.games import GAMES
from pbem.i18n import _
from pbem.play.accounts import email_confirmation, guests, login_sessions
from pbem.play.clocks import match_lengths
from pbem.play.core import tokens
from pbem.play.core.errors import Refused
from pbem.play.core.rate_limits import SECONDS_PER_DAY, SECONDS_PER_HOUR, Limit
from pbem.play.lobby import request_parser
from pbem.play.matches.seats import holders
from pbem.play.players import registry
from pbem.web.common import robot_levels
from pbem.web.common.messages import UNKNOWN_GAME
from pbem.web.common.seat_link import find_seat
from pbem.web.common.urls import turn_page
from pbem.web.request import csrf, current_user, throttling
from pbem.web.request.context import transaction

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    from pbem.db.models import Match, SeatHolder
    from pbem.play.core.context import Context

pages = Blueprint("guests", __name__)

MAX_GUESTS_PER_HOUR = 20
"""Maximum guests per network and hour."""
MAX_MAILS_PER_DAY = 3
"""Maximum confirmation mails per day to one address, and from one guest."""
_LIMIT_OF_ALL = Limit("guest", "everybody", 1000, SECONDS_PER_HOUR)


@pages.post("/play/<game>")
def play(game: str) -> ResponseReturnValue:
    """Create a match alone or against robots, and lead to its first turn; a new visitor becomes a guest."""
    if game not in GAMES:
        abort(404, description=UNKNOWN_GAME)
    before = current_user.visitor()
    if not csrf.is_valid(f"guest {game}") or (before and not before.guest):
        return redirect(url_for("home.first"), 303)
    level = robot_levels.parse(game, request.form.get("level"), robot_levels.preferred(game))
    secret = ""
    with transaction() as ctx:
        _count(ctx, is_new=before is None)
        if before:
            guest = ctx.session.get_one(Player, before.player)
        else:
            guest = guests.create_guest(ctx, request.form.get("zone", ""))
            secret = login_sessions.start(ctx, guest, request.user_agent.string)
        try:
            request_parser.hit_daily_limit(ctx, guest)
        except Refused as refused:
            abort(429, description=str(refused))
        seats, options = GAMES[game].seats[0], match_lengths.SHORT_OPTIONS.get(game, {})
        match = guests.create_match(ctx, guest, game, [level] * (seats - 1), options)
        response = redirect(turn_page(ctx, match, holders(ctx, match)[0]), 303)
    robot_levels.remember(response, [level] * (seats - 1))
    if secret:
        current_user.set_cookie(response, secret)
    return response


@pages.get("/m/<token>/address")
def address(token: str) -> ResponseReturnValue:
    """Show a guest the form for an address, or that a mail is on its way to the one they typed."""
    with transaction() as ctx:
        match, _holder = _guest_seat(ctx, token)
        return _address_page(match, token, sent=request.args.get("sent", ""))


@pages.post("/m/<token>/address")
def ask(token: str) -> ResponseReturnValue:
    """Mail a guest a link that makes an address theirs."""
    typed = request.form.get("email", "").strip()
    with transaction() as ctx:
        match, holder = _guest_seat(ctx, token)
        if not csrf.is_valid(f"address {token}"):
            return _address_page(match, token, typed, _(csrf.OLD_FORM)), 400
        try:
            email = registry.normalise_email(typed)
        except Refused as refused:
            return _address_page(match, token, typed, str(refused)), 422
        throttling.hit(
            ctx,
            Limit("asked whose", email, MAX_MAILS_PER_DAY, SECONDS_PER_DAY),
            Limit("own address", str(holder.player_id), MAX_MAILS_PER_DAY, SECONDS_PER_DAY),
            throttling.per_network("own address", MAX_GUESTS_PER_HOUR),
        )
        email_confirmation.send_guest_verification(ctx, holder.player, email)
    return redirect(url_for("guests.address", token=token, sent=email), 303)


def _count(ctx: Context, *, is_new: bool) -> None:
    """Count a guest's match, and the guest, under the limits of their network."""
    new = (throttling.per_network("guest", MAX_GUESTS_PER_HOUR), _LIMIT_OF_ALL) if is_new else ()
    throttling.hit(ctx, throttling.per_network("match", throttling.MAX_MATCHES_PER_HOUR), *new)


def _guest_seat(ctx: Context, token: str) -> tuple[Match, SeatHolder]:
    """Return the seat of a current link if a guest has it; redirect to the seat's page if not."""
    found, match = find_seat(ctx, token)
    if not tokens.is_current(ctx, found, match) or not guests.is_guest(ctx, found.holder.player):
        abort(redirect(url_for("turn.seat", token=token), 303))
    return match, found.holder


def _address_page(match: Match, token: str, typed: str = "", wrong: str = "", sent: str = "") -> str:
    return render_template(
        "lobby/guest_address.html",
        game=GAMES[match.game],
        token=token,
        typed=typed,
        wrong=wrong,
        sent=sent,
        days=email_confirmation.ADDRESS_LINK_DAYS,
    )
