"""The page of a player's availability: time zone, hours in which no deadline falls, vacations."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

from flask import Blueprint, redirect, render_template, request, url_for

from pbem.db.models import Player
from pbem.i18n import _
from pbem.play.clocks.date_ranges import DateRange
from pbem.play.core.errors import Refused
from pbem.play.players import digest_schedule
from pbem.play.timeouts import absences
from pbem.time_format import load_zone
from pbem.web.request import csrf, current_user, form_fields
from pbem.web.request.context import transaction

if TYPE_CHECKING:
    from werkzeug import Response as BaseResponse

    from pbem.play.accounts.login_sessions import CurrentUser
    from pbem.play.core.context import Context

    Page = str | BaseResponse | tuple[str, int]

pages = Blueprint("availability", __name__)

HOURS = range(24)
SLEEPS_FIELD = "sleeps"
SUGGESTED_NIGHT = (22, 8)
"""Hours that the form suggests to a player without quiet hours."""
MAX_QUOTED_LENGTH = 20


@pages.get("/me/time")
def times() -> Page:
    """Show the availability page."""
    with transaction() as ctx:
        return render_page(ctx, current_user.require())


@pages.post("/me/time")
def choose_hours() -> Page:
    """Store the hours in which no deadline falls."""
    signed_in, form = current_user.require(), request.form
    begin, end = form.get("quiet_from", ""), form.get("quiet_until", "")
    with transaction() as ctx:
        if not csrf.is_valid("my time"):
            return render_page(ctx, signed_in, _(csrf.OLD_FORM)), 400
        if not {begin, end} <= set(map(str, HOURS)):
            return render_page(ctx, signed_in, _("That is none of the choices; nothing has been changed.")), 400
        try:
            absences.set_quiet_hours(
                ctx, player_of(ctx, signed_in), (int(begin), int(end)) if SLEEPS_FIELD in form else None
            )
        except Refused as refused:
            return render_page(ctx, signed_in, str(refused)), 422
    return redirect_saved()


@pages.post("/me/time/zone")
def choose_zone() -> Page:
    """Store the time zone that a browser offered; one that is unknown here is refused."""
    signed_in, zone = current_user.require(), request.form.get("zone", "")
    with transaction() as ctx:
        if not csrf.is_valid("my zone"):
            return render_page(ctx, signed_in, _(csrf.OLD_FORM)), 400
        if zone not in digest_schedule.time_zones():
            return render_page(ctx, signed_in, _("That is none of the choices; nothing has been changed.")), 400
        player = player_of(ctx, signed_in)
        player.time_zone = zone
        absences.recheck_deadlines(ctx, player)
    return redirect_saved()


@pages.post("/me/time/away")
def go_away() -> Page:
    """Add an absence from one day to another."""
    signed_in, typed = current_user.require(), {name: request.form.get(name, "") for name in ("first", "last")}
    with transaction() as ctx:
        if not csrf.is_valid("my absence"):
            return render_page(ctx, signed_in, _(csrf.OLD_FORM), **typed), 400
        try:
            days = DateRange(_parse_day(typed["first"]) if typed["first"] else None, _parse_day(typed["last"]))
            absences.start(ctx, player_of(ctx, signed_in), days)
        except Refused as refused:
            return render_page(ctx, signed_in, **typed, absence_wrong=str(refused)), 422
    return redirect_saved()


@pages.post("/me/time/back")
def come_back() -> Page:
    """End an absence, or cancel it; nothing is changed if it is over already."""
    signed_in, number = current_user.require(), form_fields.get_number("absence", form_fields.MAX_ID_DIGITS)
    with transaction() as ctx:
        if not csrf.is_valid("my absence"):
            return render_page(ctx, signed_in, _(csrf.OLD_FORM)), 400
        if number is not None:
            absences.end_or_cancel(ctx, player_of(ctx, signed_in), number)
    return redirect_saved()


@pages.post("/me/time/vacation")
def choose_vacation() -> Page:
    """Store whether vacation days are taken automatically."""
    signed_in = current_user.require()
    with transaction() as ctx:
        if not csrf.is_valid("my vacation"):
            return render_page(ctx, signed_in, _(csrf.OLD_FORM)), 400
        player_of(ctx, signed_in).auto_vacation = "by_itself" in request.form
    return redirect_saved()


def _parse_day(typed: str) -> date:
    """Parse a day as date fields send it."""
    try:
        return date.fromisoformat(typed)
    except ValueError:
        raise Refused(_("“{day}” is not a valid date.", day=typed[:MAX_QUOTED_LENGTH])) from None


def render_page(ctx: Context, signed_in: CurrentUser, wrong: str = "", **more: Any) -> str:
    """Render the whole page; `wrong` is an error above it, `more` is what a part of it was sent with."""
    player = player_of(ctx, signed_in)
    year = absences.current_year(ctx, player)
    asleep = player.quiet_from != player.quiet_until
    parts = {
        "player": player,
        "hours": HOURS,
        "night": (player.quiet_from, player.quiet_until) if asleep else SUGGESTED_NIGHT,
        "now": ctx.now,
        "zone": player.time_zone,
        "today": ctx.now.astimezone(load_zone(player.time_zone)).date(),
        "year": year,
        "left": absences.days_left(ctx, player, year),
        "days_a_year": absences.MAX_DAYS_PER_YEAR,
        "absences": absences.current_and_upcoming(ctx, player),
    }
    return render_template("account/availability.html", wrong=wrong, kept="kept" in request.args, **parts | more)


def player_of(ctx: Context, signed_in: CurrentUser) -> Player:
    """Return the signed-in player's row."""
    return ctx.session.get_one(Player, signed_in.player)


def redirect_saved() -> BaseResponse:
    """Redirect to the page, with a note that a choice was stored."""
    return redirect(url_for("availability.times", kept=1), 303)
