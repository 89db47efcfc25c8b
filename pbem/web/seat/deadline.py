"""Pages about the deadlines of a match: why a move is due when it is, and nudging."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, redirect, render_template, url_for

from pbem.games import GAMES
from pbem.i18n import _
from pbem.play.core import tokens
from pbem.play.deadlines import explanation
from pbem.play.matches.match_state import lock
from pbem.play.timeouts import nudges
from pbem.states import MatchState
from pbem.web.common import csrf
from pbem.web.common.context import transaction
from pbem.web.common.seat_link import match_of, opened

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
        found, match = _found(ctx, token)
        return _page(ctx, found, match, token) if _acts(ctx, found, match) else _elsewhere(token)


@pages.post("/m/<token>/nudge")
def nudge(token: str) -> Page:
    """Nudge those for whom a match waits, and show the result."""
    with transaction() as ctx:
        found, match = _found(ctx, token)
        lock(ctx, match.id)
        if not _acts(ctx, found, match) or len(match.seats) == 1:
            return _elsewhere(token)
        if not csrf.is_ours(f"nudge {token}"):
            return _page(ctx, found, match, token, wrong=_(csrf.OLD_FORM)), 400
        return _page(ctx, found, match, token, nudged=nudges.nudge(ctx, match, found.holder))


def _page(
    ctx: Context, found: Token, match: Match, token: str, wrong: str = "", nudged: list[str] | None = None
) -> str:
    return render_template(
        "why.html",
        token=token,
        match=match,
        game=GAMES[match.game],
        told=explanation.told(ctx, match, found.holder),
        others=any(seat != found.holder.seat for seat in match.to_move),
        wrong=wrong,
        nudged=nudged,
    )


def _acts(ctx: Context, found: Token, match: Match) -> bool:
    return match.state == MatchState.RUNNING and tokens.is_current(ctx, found, match)


def _found(ctx: Context, typed: str) -> tuple[Token, Match]:
    found = opened(ctx, typed)
    return found, match_of(ctx, found)


def _elsewhere(token: str) -> BaseResponse:
    return redirect(url_for("turn.seat", token=token), 303)
