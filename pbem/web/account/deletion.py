"""Pages to download one's data, and to delete the account."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, Response, abort, redirect, render_template, url_for

from emails.data_export import stream_zip
from pbem.db.models import Player
from pbem.i18n import _
from pbem.play.accounts import account_locks, deletion
from pbem.play.core.rate_limits import SECONDS_PER_DAY, Limit
from pbem.play.players import registry
from pbem.states import MatchState
from pbem.web.common.messages import UNKNOWN_LINK
from pbem.web.request import csrf, current_user, throttling
from pbem.web.request.context import service, transaction
from pbem.web.request.locale import use_language_of

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    from pbem.play.core.context import Context


pages = Blueprint("deletion", __name__)

MAX_DOWNLOADS_PER_DAY = 5
MAX_LINKS_PER_DAY = 5


@pages.get("/me/leave")
def leave() -> str:
    """Show the page to download the data and to delete the account."""
    return _leave_page()


@pages.post("/me/leave/everything")
def everything() -> ResponseReturnValue:
    """Return everything that is stored about the player, as one file that is written while it is sent."""
    me = current_user.require()
    if not csrf.is_valid("download everything"):
        return _leave_page(_(csrf.OLD_FORM)), 400
    with transaction() as ctx:
        throttling.hit(ctx, Limit("download", str(me.player), MAX_DOWNLOADS_PER_DAY, SECONDS_PER_DAY))
    response = Response(stream_zip(service().engine, service().config, me.player), content_type="application/zip")
    response.headers["Content-Disposition"] = f'attachment; filename="{service().config.host}.zip"'
    return response


@pages.post("/me/leave")
def ask() -> ResponseReturnValue:
    """Mail the confirmation link for deletion to the player's main address."""
    me = current_user.require()
    if not csrf.is_valid("leave"):
        return _leave_page(_(csrf.OLD_FORM)), 400
    with transaction() as ctx:
        throttling.hit(ctx, Limit("leaving", str(me.player), MAX_LINKS_PER_DAY, SECONDS_PER_DAY))
        deletion.send_link(ctx, ctx.session.get_one(Player, me.player))
    return redirect(url_for("deletion.asked"), 303)


@pages.get("/me/leave/asked")
def asked() -> str:
    """Show that the link was sent."""
    with transaction() as ctx:
        email = registry.main_address(ctx, current_user.require().player)
    return render_template(
        "account/delete_mailed.html", email=email, hours=deletion.LINK_HOURS, sender=service().config.service_address
    )


@pages.get("/leave/<signed>")
def look(signed: str) -> str:
    """Show what deleting the account would end; looking changes nothing."""
    with transaction() as ctx:
        return _last_page(ctx, _player(ctx, signed), signed)


@pages.post("/leave/<signed>")
def go(signed: str) -> ResponseReturnValue:
    """Delete the account."""
    with transaction() as ctx:
        player = _player(ctx, signed)
        if not csrf.is_valid(f"leave {signed}"):
            return _last_page(ctx, player, signed, _(csrf.OLD_FORM)), 400
        deletion.delete(ctx, player)
    response = redirect(url_for("deletion.gone"), 303)
    if (me := current_user.visitor()) and me.player == player.id:
        current_user.delete_cookie(response)
    return response


@pages.get("/left")
def gone() -> str:
    """Show the goodbye page."""
    return render_template("account/deleted.html")


def _player(ctx: Context, signed: str) -> Player:
    found = deletion.player_from_link(ctx, signed)
    if found is None:
        abort(404, description=UNKNOWN_LINK)
    use_language_of(found)
    return found


def _leave_page(wrong: str = "") -> str:
    me = current_user.require()
    with transaction() as ctx:
        email = registry.main_address(ctx, me.player)
    return render_template("account/delete.html", email=email, wrong=wrong)


def _last_page(ctx: Context, player: Player, signed: str, wrong: str = "") -> str:
    states = [match.state for match in account_locks.unfinished(ctx, player.id)]
    return render_template(
        "account/delete_confirm.html",
        signed=signed,
        player=player,
        running=states.count(MatchState.RUNNING),
        waiting=states.count(MatchState.INVITING),
        wrong=wrong,
    )
