"""The page of the people whom a player avoids: the list, and those they have met, to add one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, redirect, render_template, request, url_for

from pbem.db.models import Player
from pbem.i18n import _
from pbem.play.core.errors import Refused
from pbem.play.moderation import acquaintances, avoidance
from pbem.play.players import registry
from pbem.web.request import csrf, current_user, form_fields
from pbem.web.request.context import transaction

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    from pbem.play.accounts.login_sessions import CurrentUser
    from pbem.play.core.context import Context

pages = Blueprint("avoidance", __name__)

MAX_MET_SHOWN = 20
"""Maximum people shown of those whom the player met last; all can be typed."""


@pages.get("/me/avoided")
def avoided() -> ResponseReturnValue:
    """List whom the player avoids."""
    with transaction() as ctx:
        return _page(ctx, current_user.require())


@pages.post("/me/avoided")
def change() -> ResponseReturnValue:
    """Add a person, by the name that was typed or by a seat at which the player met them, or remove one."""
    signed_in, typed = current_user.require(), request.form.get("name", "")
    holder = form_fields.get_number("met", form_fields.MAX_ID_DIGITS)
    entry = form_fields.get_number("entry", form_fields.MAX_ID_DIGITS)
    with transaction() as ctx:
        if not csrf.is_valid("avoided"):
            return _page(ctx, signed_in, typed, _(csrf.OLD_FORM)), 400
        player = ctx.session.get_one(Player, signed_in.player)
        if entry is not None:
            avoidance.remove_entry(ctx, player.id, entry)
            return redirect(url_for("avoidance.avoided", kept=1), 303)
        try:
            met = acquaintances.find(ctx, player, typed) if holder is None else acquaintances.get(ctx, player, holder)
            avoidance.add(ctx, player, ctx.session.get_one(Player, met.player), met.name)
        except Refused as refused:
            return _page(ctx, signed_in, typed, field_wrong=str(refused)), 422
    return redirect(url_for("avoidance.avoided", kept=1), 303)


def _page(ctx: Context, signed_in: CurrentUser, typed: str = "", wrong: str = "", field_wrong: str = "") -> str:
    known = avoidance.list_avoided(ctx, signed_in.player)
    ids = {one.avoided_id for one in known}
    met = [one for one in acquaintances.list_newest(ctx, signed_in.player) if one.player not in ids]
    return render_template(
        "account/avoided.html",
        avoided=known,
        met=met[:MAX_MET_SHOWN],
        most=avoidance.MAX_AVOIDED,
        typed=typed,
        longest=registry.MAX_NAME_LENGTH,
        wrong=wrong,
        field_wrong=field_wrong,
        kept="kept" in request.args,
        zone=signed_in.zone,
    )
