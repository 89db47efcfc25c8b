"""Pages for taking one's data along, and for leaving for good."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, Response, abort, redirect, render_template, url_for

from emails.exported import archive
from pbem.db.models import Player
from pbem.play import leaving
from pbem.play.allowances import DAY, Allowed
from pbem.web import floods, forms, visiting
from pbem.web.here import here, table
from pbem.web.messages import UNKNOWN_LINK
from pbem.web.tongues import speak_to
from pbem.words import _

if TYPE_CHECKING:
    from werkzeug import Response as BaseResponse

    from pbem.play.table import Table

    Page = str | BaseResponse | tuple[str, int]

pages = Blueprint("leaving", __name__)

DOWNLOADS_A_DAY = 5
LINKS_A_DAY = 5


@pages.get("/me/leave")
def leave() -> str:
    """Offer everything that is known of somebody, and to forget it."""
    return _leave()


@pages.post("/me/leave/everything")
def everything() -> Page:
    """Give everything that is known of somebody, as one file that is written while it is sent."""
    me = visiting.needed()
    if not forms.is_ours("download everything"):
        return _leave(_(forms.OLD_FORM)), 400
    with table() as at:
        floods.spend(at, Allowed("download", str(me.player), DOWNLOADS_A_DAY, DAY))
    response = Response(archive(here().engine, here().config, me.player), content_type="application/zip")
    response.headers["Content-Disposition"] = f'attachment; filename="{here().config.host}.zip"'
    return response


@pages.post("/me/leave")
def ask() -> Page:
    """Mail the link by which somebody leaves to their main address."""
    me = visiting.needed()
    if not forms.is_ours("leave"):
        return _leave(_(forms.OLD_FORM)), 400
    with table() as at:
        floods.spend(at, Allowed("leaving", str(me.player), LINKS_A_DAY, DAY))
        leaving.ask(at, at.session.get_one(Player, me.player))
    return redirect(url_for("leaving.asked"), 303)


@pages.get("/me/leave/asked")
def asked() -> str:
    """Say that a link is on its way."""
    with table() as at:
        email = leaving.main_address(at, visiting.needed().player)
    return render_template("leave_asked.html", email=email, hours=leaving.HOURS, sender=here().config.service_address)


@pages.get("/leave/<signed>")
def look(signed: str) -> str:
    """Show what leaving would end; looking changes nothing."""
    with table() as at:
        return _last(at, _player(at, signed), signed)


@pages.post("/leave/<signed>")
def go(signed: str) -> Page:
    """Leave for good."""
    with table() as at:
        player = _player(at, signed)
        if not forms.is_ours(f"leave {signed}"):
            return _last(at, player, signed, _(forms.OLD_FORM)), 400
        leaving.leave(at, player)
    response = redirect(url_for("leaving.gone"), 303)
    if (me := visiting.visitor()) and me.player == player.id:
        visiting.forget(response)
    return response


@pages.get("/left")
def gone() -> str:
    """Say goodbye."""
    return render_template("left.html")


def _player(at: Table, signed: str) -> Player:
    found = leaving.player_of(at, signed)
    if found is None:
        abort(404, description=UNKNOWN_LINK)
    speak_to(found)
    return found


def _leave(wrong: str = "") -> str:
    me = visiting.needed()
    with table() as at:
        email = leaving.main_address(at, me.player)
    return render_template("leave.html", email=email, wrong=wrong)


def _last(at: Table, player: Player, signed: str, wrong: str = "") -> str:
    ended = leaving.unfinished(at, player.id)
    counts = [sum(match.state == state for match in ended) for state in ("running", "inviting")]
    return render_template(
        "leave_last.html", signed=signed, player=player, running=counts[0], waiting=counts[1], wrong=wrong
    )
