"""Undoing a held move on its page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, redirect, request, url_for

from pbem.db.models import Submission
from pbem.play.core import tokens
from pbem.play.lifecycle import held_moves
from pbem.web.common.seat_link import match_of, resolve_seat
from pbem.web.request import csrf
from pbem.web.request.context import transaction

if TYPE_CHECKING:
    from werkzeug import Response as BaseResponse

pages = Blueprint("undo", __name__)


@pages.post("/m/<token>/undo")
def undo(token: str) -> BaseResponse:
    """Withdraw a held move, and show its state in any case."""
    sent = request.form.get("sent", "")
    with transaction() as ctx:
        found = resolve_seat(ctx, token)
        row = ctx.session.get(Submission, sent)
        if row is None or row.holder_id != found.holder_id:
            return redirect(url_for("turn.seat", token=token), 303)
        if csrf.is_valid(f"undo {token}") and tokens.is_current(ctx, found, match_of(ctx, found)):
            held_moves.undo(ctx, row)
    return redirect(url_for("turn.seat", token=token, sent=sent), 303)
