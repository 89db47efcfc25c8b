"""Entering a ladder by its page, and leaving it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, redirect, render_template, request, url_for

from pbem.db.models import Player
from pbem.i18n import _
from pbem.play.core.errors import Refused
from pbem.play.ladders import entering, places
from pbem.web.common import lookup
from pbem.web.events import ladders
from pbem.web.request import csrf, current_user
from pbem.web.request.context import transaction

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    from pbem.db.models import Event
    from pbem.play.core.context import Context

pages = Blueprint("ladder_entries", __name__)


@pages.post("/ladders/<game>")
def enter(game: str) -> ResponseReturnValue:
    """Enter the player into a ladder, listed under the name that they typed."""
    signed_in = current_user.require()
    with transaction() as ctx:
        event = lookup.ladder(ctx, game)
        if not csrf.is_valid(f"enter ladder {event.id}"):
            return ladders.page(ctx, event, _(csrf.OLD_FORM)), 400
        player = ctx.session.get_one(Player, signed_in.player)
        try:
            with ctx.session.begin_nested():
                entering.enter(ctx, event, player, request.form.get("name", "") or player.name)
        except Refused as refused:
            return ladders.page(ctx, event, str(refused)), 409
    return redirect(url_for("ladders.one", game=game, kept="entered"), 303)


@pages.get("/ladders/<game>/leave")
def ask_to_leave(game: str) -> ResponseReturnValue:
    """Show what leaving a ladder does, before it is done."""
    current_user.require()
    with transaction() as ctx:
        return _leave_page(ctx, lookup.ladder(ctx, game))


@pages.post("/ladders/<game>/leave")
def leave(game: str) -> ResponseReturnValue:
    """Withdraw the player from a ladder."""
    signed_in = current_user.require()
    with transaction() as ctx:
        event = lookup.ladder(ctx, game)
        if not csrf.is_valid(f"leave ladder {event.id}"):
            return _leave_page(ctx, event, _(csrf.OLD_FORM)), 400
        try:
            entering.leave(ctx, event, ctx.session.get_one(Player, signed_in.player))
        except Refused as refused:
            return _leave_page(ctx, event, str(refused)), 409
    return redirect(url_for("ladders.one", game=game, kept="left"), 303)


def _leave_page(ctx: Context, event: Event, wrong: str = "") -> str:
    player = current_user.player_id()
    own = places.find(ctx, event, player) if player else None
    return render_template("events/ladder_leave.html", event=event, own=own, wrong=wrong)
