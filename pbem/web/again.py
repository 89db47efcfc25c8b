"""Having mail to a seat's address tried again, or noting that it arrives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, abort, redirect, request, url_for

from pbem.db.models import Match
from pbem.play import deliveries, links, returns
from pbem.web import forms
from pbem.web.here import table
from pbem.web.messages import UNKNOWN_LINK
from pbem.web.tongues import speak_to

if TYPE_CHECKING:
    from werkzeug import Response as BaseResponse

pages = Blueprint("again", __name__)


@pages.post("/m/<token>/again")
def again(token: str) -> BaseResponse:
    """Have an address tried again, or note that mail arrives there."""
    with table() as at:
        found = links.find(at, token, links.LINK)
        if found is None:
            abort(404, description=UNKNOWN_LINK)
        speak_to(found.holder.player)
        here = url_for("seats.seat", token=token)
        if not forms.is_ours(f"again {token}"):
            return redirect(here, 303)
        match = at.session.get_one(Match, found.holder.match_id)
        if request.form.get("do") == "arrived" and links.is_current(at, found, match):
            returns.arrived(at, found.holder.email)
            return redirect(here, 303)
        known = deliveries.failing(at, found.holder.email)
        if known is None or known.suppressed not in {None, returns.BOUNCE}:
            return redirect(here, 303)
        tried = returns.try_again(at, match, found.holder)
        page = "seats.seat" if found.ply else "invitations.invitation"
        return redirect(url_for(page, token=token, again="sent" if tried else "often"), 303)
