"""Pages about the deadlines of a match: why a move is due when it is, and nudging."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, redirect, render_template, url_for

from pbem.games import GAMES
from pbem.i18n import _
from pbem.play.core import tokens
from pbem.play.deadlines import explanation
from pbem.play.matches.match_state import lock_match
from pbem.play.timeouts import nudges
from pbem.states import MatchState
from pbem.web.common.seat_link import match_of, resolve_seat
from pbem.web.request import csrf
from pbem.web.request.context import transaction

if TYPE_CHECKING:
    from werkzeug import Response as BaseResponse

    from pbem.db.models import Match, Token
    from pbem.play.core.context import Context

    Page = str | BaseResponse | tuple[str, int]

pages = Blueprint("deadline", __name__)


@pages.get("/m/<token>/why")
def why(token: str) -> Page:
    """Explain step by step when moves are due."""
    with transaction() as ctx:
        found, match = _find_seat(ctx, token)
        return _page(ctx, found, match, token) if _can_act(ctx, found, match) else _redirect_to_turn(token)


@pages.post("/m/<token>/nudge")
def nudge(token: str) -> Page:
    """Nudge those for whom a match waits, and show the result."""
    with transaction() as ctx:
        found, match = _find_seat(ctx, token)
        lock_match(ctx, match.id)
        if not _can_act(ctx, found, match) or len(match.seats) == 1:
            return _redirect_to_turn(token)
        if not csrf.is_valid(f"nudge {token}"):
            return _page(ctx, found, match, token, wrong=_(csrf.OLD_FORM)), 400
        return _page(ctx, found, match, token, nudged=nudges.nudge(ctx, match, found.holder))


def _page(
    ctx: Context, found: Token, match: Match, token: str, wrong: str = "", nudged: list[str] | None = None
) -> str:
    return render_template(
        "seat/deadline.html",
        token=token,
        match=match,
        game=GAMES[match.game],
        told=explanation.explain(ctx, match, found.holder),
        others=any(seat != found.holder.seat for seat in match.to_move),
        wrong=wrong,
        nudged=nudged,
    )


def _can_act(ctx: Context, found: Token, match: Match) -> bool:
    return match.state == MatchState.RUNNING and tokens.is_current(ctx, found, match)


def _find_seat(ctx: Context, typed: str) -> tuple[Token, Match]:
    found = resolve_seat(ctx, typed)
    return found, match_of(ctx, found)


def _redirect_to_turn(token: str) -> BaseResponse:
    return redirect(url_for("turn.seat", token=token), 303)
