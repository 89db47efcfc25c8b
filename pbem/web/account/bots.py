"""The page on which a player declares that a program plays for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, redirect, render_template, request, url_for

from pbem.db.models import Player
from pbem.i18n import _
from pbem.play.core.errors import Refused
from pbem.play.players import bots
from pbem.web.request import csrf, current_user
from pbem.web.request.context import transaction

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

pages = Blueprint("bots", __name__)


@pages.get("/me/bot")
def show() -> ResponseReturnValue:
    """Show whether a program plays for the player, and the rules for one."""
    signed_in = current_user.require()
    with transaction() as ctx:
        return _page(ctx.session.get_one(Player, signed_in.player))


@pages.post("/me/bot")
def declare() -> ResponseReturnValue:
    """Store that a program plays for the player from now on, or whether its matches may be rated."""
    signed_in = current_user.require()
    with transaction() as ctx:
        player = ctx.session.get_one(Player, signed_in.player)
        if not csrf.is_valid("my bot"):
            return _page(player, _(csrf.OLD_FORM)), 400
        if player.bot_since is None and "sure" not in request.form:
            return _page(player, _("Tick the box that says you know that this is for good.")), 422
        try:
            bots.declare(ctx, player, rates="rated" in request.form)
        except Refused as refused:
            return _page(player, str(refused)), 409
    return redirect(url_for("bots.show", kept=1), 303)


def _page(player: Player, wrong: str = "") -> str:
    rated = "rated" in request.form if wrong else player.rates_as_bot
    return render_template("account/bots.html", player=player, rated=rated, wrong=wrong, kept="kept" in request.args)
