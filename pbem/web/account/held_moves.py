"""The form that sets the undo window of moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, request

from pbem.i18n import _
from pbem.play.lifecycle import held_moves
from pbem.web.account import availability
from pbem.web.request import csrf, current_user
from pbem.web.request.context import transaction

if TYPE_CHECKING:
    from werkzeug import Response as BaseResponse

pages = Blueprint("held_moves", __name__)


@pages.post("/me/time/hold")
def choose() -> str | BaseResponse | tuple[str, int]:
    """Store for how long a player's moves are held."""
    signed_in, minutes = current_user.require(), request.form.get("hold", "")
    with transaction() as ctx:
        if not csrf.is_valid("my hold"):
            return availability.render_page(ctx, signed_in, _(csrf.OLD_FORM)), 400
        if minutes not in map(str, held_moves.HOLD_MINUTES_CHOICES):
            return availability.render_page(
                ctx, signed_in, _("That is none of the choices; nothing has been changed.")
            ), 400
        held_moves.set_hold_minutes(ctx, availability.player_of(ctx, signed_in), int(minutes))
    return availability.redirect_saved()
