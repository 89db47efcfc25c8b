"""Holding moves: choosing for how long, and taking one back by its page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, request

from pbem.play import holding
from pbem.web import forms, times, visiting
from pbem.web.here import table
from pbem.words import _

if TYPE_CHECKING:
    from werkzeug import Response as BaseResponse

pages = Blueprint("holding", __name__)


@pages.post("/me/time/hold")
def choose() -> str | BaseResponse | tuple[str, int]:
    """Keep for how long somebody's moves are held."""
    signed_in, minutes = visiting.needed(), request.form.get("hold", "")
    with table() as at:
        if not forms.is_ours("my hold"):
            return times.page(at, signed_in, _(forms.OLD_FORM)), 400
        if minutes not in map(str, holding.OFFERED):
            return times.page(at, signed_in, _("That is none of the choices; nothing has been changed.")), 400
        holding.choose(at, times.player_of(at, signed_in), int(minutes))
    return times.kept()
