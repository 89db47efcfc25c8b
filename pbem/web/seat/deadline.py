"""Pages about the deadlines of a match: why a move is due when it is, and nudging."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, redirect, render_template, url_for

from pbem.games import GAMES
from pbem.i18n import _
from pbem.play.deadlines import explanation
from pbem.play.timeouts import nudges
from pbem.web.common import lookup
from pbem.web.common.seat_link import can_act, find_seat, hold_seat
from pbem.web.request import csrf
from pbem.web.request.context import transaction

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue
    from werkzeug import Response as BaseResponse

    from pbem.db.models import Match, Token
    from pbem.play.core.context import Context

pages = Blueprint("deadline", __name__)


@pages.get("/m/<token>/why")
def why(token: str) -> ResponseReturnValue:
    """Explain step by step when moves are due."""
    with transaction() as ctx:
        found, match = find_seat(ctx, token)
        return _page(ctx, found, match, token) if can_act(ctx, found, match) else _redirect_to_turn(token)


@pages.post("/m/<token>/nudge")
def nudge(token: str) -> ResponseReturnValue:
    """Nudge those for whom a match waits, and show the result."""
    with transaction() as ctx:
        found, match = find_seat(ctx, token)
        lookup.lock_seat(ctx, found)
        if not can_act(ctx, found, match) or len(match.seats) == 1:
            return _redirect_to_turn(token)
        if not csrf.is_valid(f"nudge {token}"):
            return _page(ctx, found, match, token, wrong=_(csrf.OLD_FORM)), 400
        hold_seat(ctx, found.holder)
        return _page(ctx, found, match, token, nudged=nudges.nudge(ctx, match, found.holder))


def _page(
    ctx: Context, found: Token, match: Match, token: str, wrong: str = "", nudged: list[str] | None = None
) -> str:
    return render_template(
        "seat/deadline.html",
        token=token,
        match=match,
        game=GAMES[match.game],
        steps=explanation.explain(ctx, match, found.holder),
        others=any(seat != found.holder.seat for seat in match.to_move),
        wrong=wrong,
        nudged=nudged,
    )


def _redirect_to_turn(token: str) -> BaseResponse:
    return redirect(url_for("turn.seat", token=token), 303)
