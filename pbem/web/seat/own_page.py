"""The way from a match to the visitor's own page of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, redirect, url_for

from pbem.db.models import Match
from pbem.web.common import own_seat
from pbem.web.common.urls import turn_page
from pbem.web.request import current_user
from pbem.web.request.context import transaction

if TYPE_CHECKING:
    from werkzeug import Response as BaseResponse

pages = Blueprint("own_page", __name__)


@pages.get("/seat/<token>")
def by_link(token: str) -> BaseResponse:
    """Redirect from the URL that mails print which ask for no move: only those of a turn print that of a turn."""
    return redirect(url_for("turn.seat", token=token))


@pages.get("/matches/<match_id>/own")
def own(match_id: str) -> BaseResponse:
    """Redirect a visitor who holds a seat of a match to its page; ask others to sign in."""
    with transaction() as ctx:
        match = ctx.session.get(Match, match_id)
        holder = own_seat.find(ctx, match) if match else None
        if match and holder:
            return redirect(turn_page(ctx, match, holder), 303)
    current_user.require()
    return redirect(url_for("matches.match", match_id=match_id), 303)
