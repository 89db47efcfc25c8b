"""Choosing how often and when one is reminded of a move."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, request

from pbem.play import reminding
from pbem.play.reminders import OFTEN, Wish
from pbem.web import forms, times, visiting
from pbem.web.here import table
from pbem.words import _

if TYPE_CHECKING:
    from werkzeug import Response as BaseResponse

pages = Blueprint("reminders", __name__)

ANY_HOUR = "any"


@pages.post("/me/time/reminders")
def choose() -> str | BaseResponse | tuple[str, int]:
    """Keep how somebody wants to be reminded."""
    signed_in, form = visiting.needed(), request.form
    often, hour = form.get("reminders", ""), form.get("reminder_hour", "")
    with table() as at:
        if not forms.is_ours("my reminders"):
            return times.page(at, signed_in, _(forms.OLD_FORM)), 400
        if often not in OFTEN or hour not in {ANY_HOUR, *map(str, times.HOURS)}:
            return times.page(at, signed_in, _("That is none of the choices; nothing has been changed.")), 400
        wish = Wish(often, None if hour == ANY_HOUR else int(hour))
        reminding.choose(at, times.player_of(at, signed_in), wish)
    return times.kept()
