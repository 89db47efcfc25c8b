"""Resolution of seat links, with the language, the appearance and the mail banner of their pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import g, render_template, request

from pbem.games import GAMES
from pbem.play.accounts import guests
from pbem.play.core import tokens
from pbem.states import MatchState
from pbem.web.common import lookup, mail_banner
from pbem.web.common.board_images import use_appearance_of
from pbem.web.request import current_user, held_seats
from pbem.web.request.locale import use_language_of

if TYPE_CHECKING:
    from pbem.db.models import Match, SeatHolder, Token
    from pbem.play.core.context import Context


def resolve_seat(ctx: Context, typed: str) -> Token:
    """Return the token of a link, and use its player's language and appearance; 404 if it is unknown.

    For a visitor who holds the seat, every link of it stands for its present one.
    """
    found = lookup.link(ctx, typed)
    use_language_of(found.holder.player)
    use_appearance_of(found.holder.player)
    match = found.holder.match
    if holds_seat(ctx, found.holder) and not tokens.is_current(ctx, found, match):
        found = tokens.current_token(ctx, match, found.holder)
    mail_banner.prepare(ctx, found, typed)
    asks = request.method == "GET" and request.endpoint != "guests.address" and tokens.is_current(ctx, found, match)
    if asks and guests.may_be_asked(ctx, found.holder):
        g.guest_offer = typed
    return found


def find_seat(ctx: Context, typed: str) -> tuple[Token, Match]:
    """Return the token of a link as `resolve_seat` does, and its match."""
    found = resolve_seat(ctx, typed)
    return found, found.holder.match


def holds_seat(ctx: Context, holder: SeatHolder) -> bool:
    """Return whether the visitor is signed in as a seat's player, or has acted for the seat in this browser."""
    return is_signed_in_as(holder) or held_seats.contains(holder, ctx.now)


def hold_seat(ctx: Context, holder: SeatHolder) -> None:
    """Record that the browser holds a seat for which this request has acted by a current link."""
    if not is_signed_in_as(holder):
        held_seats.add(holder, ctx.now)


def can_act(ctx: Context, found: Token, match: Match) -> bool:
    """Return whether a link is current and its match is running."""
    return match.state == MatchState.RUNNING and tokens.is_current(ctx, found, match)


def is_signed_in_as(holder: SeatHolder) -> bool:
    """Return whether the visitor is signed in as a seat's player."""
    visitor = current_user.visitor()
    return visitor is not None and visitor.player == holder.player_id


def render_old_link(match: Match, token: str) -> str:
    """Render the page of a link that is no longer current."""
    return render_template("common/old_link.html", token=token, game=GAMES[match.game])
