"""Entering a season of a league by its page, the text for its deals, and leaving."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, redirect, render_template, request, url_for

from pbem.db.models import Player
from pbem.i18n import _
from pbem.play.core.errors import Refused
from pbem.play.events import entries
from pbem.play.leagues import deal_texts, leaving
from pbem.web.common import lookup
from pbem.web.events import leagues
from pbem.web.request import csrf, current_user
from pbem.web.request.context import transaction

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    from pbem.play.core.context import Context
    from pbem.play.leagues.overview import Season

pages = Blueprint("league_entries", __name__)


@pages.post("/leagues/<event_id>")
def enter(event_id: str) -> ResponseReturnValue:
    """Enter the player into a season, listed under the name that they typed."""
    signed_in, typed = current_user.require(), request.form
    with transaction() as ctx:
        season = lookup.season(ctx, event_id, signed_in.player)
        if not csrf.is_valid(f"enter {season.event.id}"):
            return leagues.page(ctx, season, typed, _(csrf.OLD_FORM)), 400
        player = ctx.session.get_one(Player, signed_in.player)
        try:
            with ctx.session.begin_nested():
                entries.enter(
                    ctx,
                    season.event,
                    player,
                    typed.get("name", "") or player.name,
                    text=typed.get("entropy", ""),
                    household=typed.get("household", "").replace(",", " ").split(),
                    stays="stays" in typed,
                )
        except Refused as refused:
            return leagues.page(ctx, season, typed, str(refused), refused.field or ""), 422
    return redirect(url_for("leagues.season", event_id=event_id, kept="entered"), 303)


@pages.post("/leagues/<event_id>/text")
def store_text(event_id: str) -> ResponseReturnValue:
    """Store the player's own text for the deals of their matches."""
    signed_in = current_user.require()
    with transaction() as ctx:
        season = lookup.season(ctx, event_id, signed_in.player)
        if not csrf.is_valid(f"text {season.event.id}"):
            return leagues.page(ctx, season, request.form, _(csrf.OLD_FORM)), 400
        player = ctx.session.get_one(Player, signed_in.player)
        try:
            deal_texts.store(ctx, season.event, player, request.form.get("entropy", ""))
        except Refused as refused:
            return leagues.page(ctx, season, request.form, str(refused), refused.field or ""), 422
    return redirect(url_for("leagues.season", event_id=event_id, kept="text"), 303)


@pages.get("/leagues/<event_id>/leave")
def ask_to_leave(event_id: str) -> ResponseReturnValue:
    """Show what leaving a season does, before it is done."""
    signed_in = current_user.require()
    with transaction() as ctx:
        return _leave_page(ctx, lookup.season(ctx, event_id, signed_in.player))


@pages.post("/leagues/<event_id>/leave")
def leave(event_id: str) -> ResponseReturnValue:
    """Withdraw the player from a season now, or from the seasons after it."""
    signed_in = current_user.require()
    with transaction() as ctx:
        season = lookup.season(ctx, event_id, signed_in.player)
        if not csrf.is_valid(f"leave {season.event.id}"):
            return _leave_page(ctx, season, _(csrf.OLD_FORM)), 400
        try:
            if later := request.form.get("when") == "later" and season.has_entered:
                leaving.stay_no_more(ctx, season.event, signed_in.player)
            else:
                leaving.leave(ctx, season.event, signed_in.player)
        except Refused as refused:
            return _leave_page(ctx, season, str(refused)), 422
    return redirect(url_for("leagues.season", event_id=event_id, kept="" if later else "left"), 303)


def _leave_page(ctx: Context, season: Season, wrong: str = "") -> str:
    effect = leaving.consequence(ctx, season.event, season.own.player_id) if season.own and season.has_entered else ""
    return render_template("events/league_leave.html", season=season, effect=effect, wrong=wrong)
