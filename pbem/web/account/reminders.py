"""The form that sets how often and when a player is reminded of a move."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, request

from pbem.i18n import _
from pbem.play.deadlines.reminder_schedule import FREQUENCIES, ReminderPreferences
from pbem.play.timeouts import reminders
from pbem.web.account import availability
from pbem.web.request import csrf, current_user
from pbem.web.request.context import transaction

if TYPE_CHECKING:
    from werkzeug import Response as BaseResponse

pages = Blueprint("reminders", __name__)

ANY_HOUR = "any"


@pages.post("/me/time/reminders")
def choose() -> str | BaseResponse | tuple[str, int]:
    """Store how often and when a player is reminded."""
    signed_in, form = current_user.require(), request.form
    often, hour = form.get("reminders", ""), form.get("reminder_hour", "")
    with transaction() as ctx:
        if not csrf.is_valid("my reminders"):
            return availability.render_page(ctx, signed_in, _(csrf.OLD_FORM)), 400
        if often not in FREQUENCIES or hour not in {ANY_HOUR, *map(str, availability.HOURS)}:
            return availability.render_page(
                ctx, signed_in, _("That is none of the choices; nothing has been changed.")
            ), 400
        wish = ReminderPreferences(often, None if hour == ANY_HOUR else int(hour))
        reminders.set_preference(ctx, availability.player_of(ctx, signed_in), wish)
    return availability.redirect_saved()
