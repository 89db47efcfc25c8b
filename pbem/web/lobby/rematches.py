"""Buttons for a rematch: by the link of the final mail, or signed in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, abort, redirect, render_template, url_for

from pbem.db.models import Match, Player
from pbem.games import GAMES
from pbem.i18n import _
from pbem.play.core import tokens
from pbem.play.core.errors import Refused
from pbem.play.lifecycle import rematches
from pbem.web.common.messages import UNKNOWN_MATCH
from pbem.web.common.seat_link import hold_seat, resolve_seat
from pbem.web.common.urls import turn_page
from pbem.web.lobby.hosting import invitation_token
from pbem.web.request import csrf, current_user
from pbem.web.request.context import transaction

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    from pbem.play.core.context import Context


pages = Blueprint("rematches", __name__)


@pages.post("/m/<token>/rematch")
def by_link(token: str) -> ResponseReturnValue:
    """Request a rematch by the newest link of a seat."""
    with transaction() as ctx:
        found = resolve_seat(ctx, token)
        match = found.holder.match
        if not tokens.is_current(ctx, found, match):
            return redirect(url_for("turn.seat", token=token), 303)
        back = url_for("turn.seat", token=token)
        answer = _request_rematch(ctx, match, found.holder.player, f"rematch {token}", back)
        if not isinstance(answer, tuple):
            hold_seat(ctx, found.holder)
        return answer


@pages.post("/matches/<match_id>/rematch")
def signed_in(match_id: str) -> ResponseReturnValue:
    """Request a rematch of a match that the signed-in player had a seat in."""
    visitor = current_user.require()
    with transaction() as ctx:
        match, player = ctx.session.get(Match, match_id), ctx.session.get_one(Player, visitor.player)
        if match is None or rematches.find_seat(ctx, match, player) is None:
            abort(404, description=UNKNOWN_MATCH)
        back = url_for("matches.match", match_id=match_id) if match.public else url_for("home.first")
        return _request_rematch(ctx, match, player, f"rematch {match_id}", back)


def _request_rematch(ctx: Context, match: Match, player: Player, purpose: str, back: str) -> ResponseReturnValue:
    if not csrf.is_valid(purpose):
        return _refused(match, _(csrf.OLD_FORM), back, 400)
    try:
        with ctx.session.begin_nested():
            made = rematches.request(ctx, match, player)
    except Refused as refused:
        return _refused(match, str(refused), back, 409)
    return redirect(_next_page(ctx, made, player) or back, 303)


def _next_page(ctx: Context, made: Match, player: Player) -> str | None:
    """Return the URL where a player goes on with the rematch; None if they have no seat in it."""
    own = rematches.find_seat(ctx, made, player)
    if own is None:
        return None
    if own.seat in made.to_move:
        return turn_page(ctx, made, own)
    return url_for("invitations.invitation", token=invitation_token(ctx, own))


def _refused(match: Match, reason: str, back: str, status: int) -> tuple[str, int]:
    return render_template("lobby/rematch_refused.html", game=GAMES[match.game], reason=reason, back=back), status
