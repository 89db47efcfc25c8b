"""Entering a field by its page, and leaving it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, redirect, request, url_for

from pbem.db.models import Player
from pbem.i18n import _
from pbem.play.core.errors import Refused
from pbem.play.events import entries, field_leaving
from pbem.web.events import fields
from pbem.web.request import csrf, current_user
from pbem.web.request.context import transaction

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

pages = Blueprint("field_entries", __name__)


@pages.post("/fields/<int:event_id>")
def enter(event_id: int) -> ResponseReturnValue:
    """Enter the player into a field, listed under the name that they typed."""
    signed_in, typed = current_user.require(), request.form
    with transaction() as ctx:
        found = fields.find(ctx, event_id)
        if not csrf.is_valid(f"enter {event_id}"):
            return fields.page(ctx, found, typed, _(csrf.OLD_FORM)), 400
        player = ctx.session.get_one(Player, signed_in.player)
        name, text = typed.get("name", "") or player.name, typed.get("entropy", "")
        try:
            with ctx.session.begin_nested():
                entries.enter(ctx, found.event, player, name, text=text, stays=False)
        except Refused as refused:
            return fields.page(ctx, found, typed, str(refused)), 422
    return redirect(url_for("fields.field", event_id=event_id, kept="entered"), 303)


@pages.get("/fields/<int:event_id>/leave")
def ask_to_leave(event_id: int) -> ResponseReturnValue:
    """Show what leaving a field does, before it is done."""
    current_user.require()
    with transaction() as ctx:
        return fields.leave_page(fields.find(ctx, event_id))


@pages.post("/fields/<int:event_id>/leave")
def leave(event_id: int) -> ResponseReturnValue:
    """Withdraw the player from a field; robots play on in their seats."""
    signed_in = current_user.require()
    with transaction() as ctx:
        found = fields.find(ctx, event_id)
        if not csrf.is_valid(f"leave {event_id}"):
            return fields.leave_page(found, _(csrf.OLD_FORM)), 400
        try:
            with ctx.session.begin_nested():
                field_leaving.leave(ctx, found.event, ctx.session.get_one(Player, signed_in.player))
        except Refused as refused:
            return fields.leave_page(found, str(refused)), 422
    return redirect(url_for("fields.field", event_id=event_id, kept="left"), 303)
