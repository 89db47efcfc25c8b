"""Pages to download one's data, and to delete the account."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, Response, abort, redirect, render_template, url_for

from emails.data_export import archive
from pbem.db.models import Player
from pbem.i18n import _
from pbem.play.accounts import deletion
from pbem.play.core.rate_limits import DAY, Allowed
from pbem.states import MatchState
from pbem.web.common import csrf, current_user, throttling
from pbem.web.common.context import service, transaction
from pbem.web.common.locale import speak_to
from pbem.web.common.messages import UNKNOWN_LINK

if TYPE_CHECKING:
    from werkzeug import Response as BaseResponse

    from pbem.play.core.context import Context

    Page = str | BaseResponse | tuple[str, int]

pages = Blueprint("deletion", __name__)

DOWNLOADS_A_DAY = 5
LINKS_A_DAY = 5


@pages.get("/me/leave")
def leave() -> str:
    """Show the page to download the data and to delete the account."""
    return _leave()


@pages.post("/me/leave/everything")
def everything() -> Page:
    """Return everything that is stored about the player, as one file that is written while it is sent."""
    me = current_user.needed()
    if not csrf.is_ours("download everything"):
        return _leave(_(csrf.OLD_FORM)), 400
    with transaction() as ctx:
        throttling.spend(ctx, Allowed("download", str(me.player), DOWNLOADS_A_DAY, DAY))
    response = Response(archive(service().engine, service().config, me.player), content_type="application/zip")
    response.headers["Content-Disposition"] = f'attachment; filename="{service().config.host}.zip"'
    return response


@pages.post("/me/leave")
def ask() -> Page:
    """Mail the link that deletes the account to the player's main address."""
    me = current_user.needed()
    if not csrf.is_ours("leave"):
        return _leave(_(csrf.OLD_FORM)), 400
    with transaction() as ctx:
        throttling.spend(ctx, Allowed("leaving", str(me.player), LINKS_A_DAY, DAY))
        deletion.ask(ctx, ctx.session.get_one(Player, me.player))
    return redirect(url_for("deletion.asked"), 303)


@pages.get("/me/leave/asked")
def asked() -> str:
    """Show that a link is on its way."""
    with transaction() as ctx:
        email = deletion.main_address(ctx, current_user.needed().player)
    return render_template(
        "leave_asked.html", email=email, hours=deletion.HOURS, sender=service().config.service_address
    )


@pages.get("/leave/<signed>")
def look(signed: str) -> str:
    """Show what deleting the account would end; looking changes nothing."""
    with transaction() as ctx:
        return _last(ctx, _player(ctx, signed), signed)


@pages.post("/leave/<signed>")
def go(signed: str) -> Page:
    """Delete the account."""
    with transaction() as ctx:
        player = _player(ctx, signed)
        if not csrf.is_ours(f"leave {signed}"):
            return _last(ctx, player, signed, _(csrf.OLD_FORM)), 400
        deletion.leave(ctx, player)
    response = redirect(url_for("deletion.gone"), 303)
    if (me := current_user.visitor()) and me.player == player.id:
        current_user.forget(response)
    return response


@pages.get("/left")
def gone() -> str:
    """Show the goodbye page."""
    return render_template("left.html")


def _player(ctx: Context, signed: str) -> Player:
    found = deletion.player_of(ctx, signed)
    if found is None:
        abort(404, description=UNKNOWN_LINK)
    speak_to(found)
    return found


def _leave(wrong: str = "") -> str:
    me = current_user.needed()
    with transaction() as ctx:
        email = deletion.main_address(ctx, me.player)
    return render_template("leave.html", email=email, wrong=wrong)


def _last(ctx: Context, player: Player, signed: str, wrong: str = "") -> str:
    ended = deletion.unfinished(ctx, player.id)
    counts = [sum(match.state == state for match in ended) for state in (MatchState.RUNNING, MatchState.INVITING)]
    return render_template(
        "leave_last.html", signed=signed, player=player, running=counts[0], waiting=counts[1], wrong=wrong
    )
