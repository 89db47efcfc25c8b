"""Buttons to try mail to a seat's address again, or to note that it arrives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, redirect, request, url_for

from pbem.db.models import Match
from pbem.play.core import tokens
from pbem.play.deliverability import bounces
from pbem.play.players import reachability
from pbem.web.common import lookup
from pbem.web.request import csrf
from pbem.web.request.context import transaction
from pbem.web.request.locale import use_language_of

if TYPE_CHECKING:
    from werkzeug import Response as BaseResponse

pages = Blueprint("again", __name__)


@pages.post("/m/<token>/again")
def again(token: str) -> BaseResponse:
    """Try mail to an address again, or note that it arrives there."""
    with transaction() as ctx:
        found = lookup.link(ctx, token)
        use_language_of(found.holder.player)
        here = url_for("turn.seat", token=token)
        if not csrf.is_valid(f"again {token}"):
            return redirect(here, 303)
        match = ctx.session.get_one(Match, found.holder.match_id)
        if request.form.get("do") == "arrived" and tokens.is_current(ctx, found, match):
            bounces.confirm_arrival(ctx, found.holder.email)
            return redirect(here, 303)
        known = reachability.delivery_failure(ctx, found.holder.email)
        if known is None or known.suppressed not in {None, bounces.BOUNCE}:
            return redirect(here, 303)
        tried = bounces.retry_address(ctx, match, found.holder)
        page = "turn.seat" if found.ply else "invitations.invitation"
        return redirect(url_for(page, token=token, again="sent" if tried else "often"), 303)
