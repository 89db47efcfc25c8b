"""The page of a player's time: zone, quiet hours, absences, reminders, the undo window, and automatic moves."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

from flask import Blueprint, redirect, render_template, request, url_for

from pbem.db.models import Player
from pbem.i18n import _
from pbem.play.clocks.date_ranges import DateRange
from pbem.play.core.errors import Refused
from pbem.play.deadlines.reminder_schedule import FREQUENCIES, ReminderPreferences
from pbem.play.lifecycle import autoplay_setting, held_moves
from pbem.play.players import digest_schedule
from pbem.play.timeouts import absences, reminders
from pbem.time_format import load_zone
from pbem.web.account.mail_preferences import INVALID_CHOICE
from pbem.web.request import csrf, current_user, form_fields
from pbem.web.request.context import transaction

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask.typing import ResponseReturnValue

    from pbem.play.accounts.login_sessions import CurrentUser
    from pbem.play.core.context import Context


pages = Blueprint("availability", __name__)

HOURS = range(24)
ANY_HOUR = "any"
SLEEPS_FIELD = "sleeps"
SUGGESTED_NIGHT = (22, 8)
"""Hours that the form suggests to a player without quiet hours."""
MAX_QUOTED_LENGTH = 20


@pages.get("/me/time")
def times() -> ResponseReturnValue:
    """Show the availability page."""
    with transaction() as ctx:
        return _page(ctx, current_user.require())


@pages.post("/me/time")
def choose() -> ResponseReturnValue:
    """Store the settings of the page: quiet hours, reminders, the undo window, and what is done automatically."""
    form = request.form
    begin, end = form.get("quiet_from", ""), form.get("quiet_until", "")
    often, hour, minutes = form.get("reminders", ""), form.get("reminder_hour", ""), form.get("hold", "")

    def save(ctx: Context, player: Player) -> None:
        absences.set_quiet_hours(ctx, player, (int(begin), int(end)) if SLEEPS_FIELD in form else None)
        reminders.set_preference(ctx, player, ReminderPreferences(often, None if hour == ANY_HOUR else int(hour)))
        held_moves.set_hold_minutes(ctx, player, int(minutes))
        autoplay_setting.set_preference(ctx, player, on="plays_forced" in form)
        player.auto_vacation = "by_itself" in form

    offered = (
        {begin, end} <= set(map(str, HOURS)),
        often in FREQUENCIES,
        hour in {ANY_HOUR, *map(str, HOURS)},
        minutes in map(str, held_moves.HOLD_MINUTES_CHOICES),
    )
    return _save("my time", save, valid=all(offered))


@pages.post("/me/time/zone")
def choose_zone() -> ResponseReturnValue:
    """Store the time zone that a browser offered; one that is unknown here is refused."""
    zone = request.form.get("zone", "")

    def save(ctx: Context, player: Player) -> None:
        player.time_zone = zone
        absences.recheck_deadlines(ctx, player)

    return _save("my zone", save, valid=zone in digest_schedule.time_zones())


@pages.post("/me/time/away")
def go_away() -> ResponseReturnValue:
    """Add an absence from one day to another."""
    first, last = request.form.get("first", ""), request.form.get("last", "")

    def save(ctx: Context, player: Player) -> None:
        days = DateRange(_parse_day(first) if first else None, _parse_day(last))
        absences.start(ctx, player, days)

    return _save("my absence", save, error_field="absence_wrong", first=first, last=last)


@pages.post("/me/time/back")
def come_back() -> ResponseReturnValue:
    """End an absence, or cancel it; nothing is changed if it is over already."""
    number = form_fields.get_number("absence", form_fields.MAX_ID_DIGITS)

    def save(ctx: Context, player: Player) -> None:
        if number is not None:
            absences.end_or_cancel(ctx, player, number)

    return _save("my absence", save)


def _save(
    purpose: str,
    save: Callable[[Context, Player], None],
    *,
    valid: bool = True,
    error_field: str = "wrong",
    **typed: str,
) -> ResponseReturnValue:
    """Save one form of the page unless it is outdated or not `valid`; errors of `save` appear as `error_field`."""
    signed_in = current_user.require()
    with transaction() as ctx:
        if not csrf.is_valid(purpose):
            return _page(ctx, signed_in, wrong=_(csrf.OLD_FORM), **typed), 400
        if not valid:
            return _page(ctx, signed_in, wrong=_(INVALID_CHOICE), **typed), 400
        try:
            save(ctx, ctx.session.get_one(Player, signed_in.player))
        except Refused as refused:
            return _page(ctx, signed_in, **typed, **{error_field: str(refused)}), 422
    return redirect(url_for("availability.times", kept=1), 303)


def _parse_day(typed: str) -> date:
    """Parse a day as date fields send it."""
    try:
        return date.fromisoformat(typed)
    except ValueError:
        raise Refused(_("“{day}” is not a valid date.", day=typed[:MAX_QUOTED_LENGTH])) from None


def _page(ctx: Context, signed_in: CurrentUser, **more: Any) -> str:
    """Render the page; `more` holds errors, and what was typed."""
    player = ctx.session.get_one(Player, signed_in.player)
    year = absences.current_year(ctx, player)
    asleep = player.quiet_from != player.quiet_until
    return render_template(
        "account/availability.html",
        kept="kept" in request.args,
        player=player,
        hours=HOURS,
        night=(player.quiet_from, player.quiet_until) if asleep else SUGGESTED_NIGHT,
        now=ctx.now,
        zone=player.time_zone,
        today=ctx.now.astimezone(load_zone(player.time_zone)).date(),
        year=year,
        left=absences.days_left(ctx, player, year),
        days_a_year=absences.MAX_DAYS_PER_YEAR,
        absences=absences.current_and_upcoming(ctx, player),
        **more,
    )
