"""The page of one's own time: the zone, the hours in which no deadline falls, and being away."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Blueprint, redirect, render_template, request, url_for

from pbem.db.models import Player
from pbem.play import absences
from pbem.web import forms, visiting
from pbem.web.here import table
from pbem.words import _

if TYPE_CHECKING:
    from werkzeug import Response as BaseResponse

    from pbem.play.table import Table
    from pbem.play.visits import Visitor

    Page = str | BaseResponse | tuple[str, int]

pages = Blueprint("times", __name__)

HOURS = range(24)
SLEEPS = "sleeps"


@pages.get("/me/time")
def times() -> Page:
    """Show how somebody's time is counted."""
    with table() as at:
        return page(at, visiting.needed())


@pages.post("/me/time")
def choose_hours() -> Page:
    """Keep the hours in which no deadline falls."""
    signed_in, form = visiting.needed(), request.form
    begin, end = form.get("quiet_from", ""), form.get("quiet_until", "")
    with table() as at:
        if not forms.is_ours("my time"):
            return page(at, signed_in, _(forms.OLD_FORM)), 400
        if not {begin, end} <= set(map(str, HOURS)):
            return page(at, signed_in, _("That is none of the choices; nothing has been changed.")), 400
        absences.keep_quiet(at, player_of(at, signed_in), (int(begin), int(end)) if SLEEPS in form else None)
    return kept()


def page(at: Table, signed_in: Visitor, wrong: str = "", **more: Any) -> str:
    """Show the whole page; `wrong` says above it what was refused, `more` is what a part of it was sent with."""
    player = player_of(at, signed_in)
    parts = {"player": player, "hours": HOURS, "now": at.now, "zone": player.zone}
    return render_template("times.html", wrong=wrong, kept="kept" in request.args, **parts | more)


def player_of(at: Table, signed_in: Visitor) -> Player:
    """Give the player who is signed in."""
    return at.session.get_one(Player, signed_in.player)


def kept() -> BaseResponse:
    """Lead back to the page, which says that a choice is kept."""
    return redirect(url_for("times.times", kept=1), 303)
