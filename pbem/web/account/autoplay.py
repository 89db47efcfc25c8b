"""The form that sets whether forced moves are played automatically."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, request

from pbem.i18n import _
from pbem.play.lifecycle import autoplay_setting
from pbem.web.account import availability
from pbem.web.request import csrf, current_user
from pbem.web.request.context import transaction

if TYPE_CHECKING:
    from werkzeug import Response as BaseResponse

pages = Blueprint("forcing", __name__)


@pages.post("/me/time/forced")
def choose() -> str | BaseResponse | tuple[str, int]:
    """Store whether a player's forced moves are played automatically."""
    signed_in = current_user.require()
    with transaction() as ctx:
        if not csrf.is_valid("my forced moves"):
            return availability.render_page(ctx, signed_in, _(csrf.OLD_FORM)), 400
        autoplay_setting.set_preference(ctx, availability.player_of(ctx, signed_in), on="plays_forced" in request.form)
    return availability.redirect_saved()
