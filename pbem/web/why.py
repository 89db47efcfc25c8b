"""Pages about time at a match: why a move is due when it is, and nudging those for whom it waits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, redirect, render_template, url_for

from pbem.games import GAMES
from pbem.play import explaining, links, nudging
from pbem.play.history import lock
from pbem.web import forms
from pbem.web.here import table
from pbem.web.seat_link import match_of, opened
from pbem.words import _

if TYPE_CHECKING:
    from werkzeug import Response as BaseResponse

    from pbem.db.models import Match, Token
    from pbem.play.table import Table

    Page = str | BaseResponse | tuple[str, int]

pages = Blueprint("why", __name__)


@pages.get("/m/<token>/why")
def why(token: str) -> Page:
    """Explain step by step by when moves are due."""
    with table() as at:
        found, match = _found(at, token)
        return _page(at, found, match, token) if _acts(at, found, match) else _elsewhere(token)


@pages.post("/m/<token>/nudge")
def nudge(token: str) -> Page:
    """Nudge those for whom a match waits, and say what came of it."""
    with table() as at:
        found, match = _found(at, token)
        lock(at, match.id)
        if not _acts(at, found, match) or len(match.seats) == 1:
            return _elsewhere(token)
        if not forms.is_ours(f"nudge {token}"):
            return _page(at, found, match, token, wrong=_(forms.OLD_FORM)), 400
        return _page(at, found, match, token, nudged=nudging.nudge(at, match, found.holder))


def _page(at: Table, found: Token, match: Match, token: str, wrong: str = "", nudged: list[str] | None = None) -> str:
    return render_template(
        "why.html",
        token=token,
        match=match,
        game=GAMES[match.game],
        told=explaining.told(at, match, found.holder),
        others=any(seat != found.holder.seat for seat in match.to_move),
        wrong=wrong,
        nudged=nudged,
    )


def _acts(at: Table, found: Token, match: Match) -> bool:
    return match.state == "running" and links.is_current(at, found, match)


def _found(at: Table, typed: str) -> tuple[Token, Match]:
    found = opened(at, typed)
    return found, match_of(at, found)


def _elsewhere(token: str) -> BaseResponse:
    return redirect(url_for("seats.seat", token=token), 303)
