"""The page of a player's own ratings, and whether others see them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, redirect, render_template, request, url_for

from pbem.db.models import Player
from pbem.games import GAMES
from pbem.i18n import _, several
from pbem.play.ratings import standings
from pbem.ratings.eligibility import MAX_LOSSES_ON_TIME, MAX_MATCHES_PER_PAIR, WINDOW
from pbem.ratings.rating import PROVISIONAL_MATCHES
from pbem.web.matches import charts
from pbem.web.request import csrf, current_user
from pbem.web.request.context import transaction

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    from pbem.play.accounts.login_sessions import CurrentUser
    from pbem.play.ratings.standings import MatchRating, OwnRating

pages = Blueprint("ratings", __name__)

MIN_CHART_MATCHES = 2
"""Minimum matches of a game that are drawn as a line."""


@pages.get("/me/ratings")
def mine() -> str:
    """Show the player's ratings."""
    return _page(current_user.require())


@pages.post("/me/ratings")
def choose() -> ResponseReturnValue:
    """Store whether the player's ratings are shown to others."""
    signed_in = current_user.require()
    if not csrf.is_valid("my ratings"):
        return _page(signed_in, _(csrf.OLD_FORM)), 400
    with transaction() as ctx:
        ctx.session.get_one(Player, signed_in.player).shows_rating = "shows_rating" in request.form
    return redirect(url_for("ratings.mine", kept=1), 303)


def _page(signed_in: CurrentUser, wrong: str = "") -> str:
    with transaction() as ctx:
        own = [one for one in standings.for_player(ctx, signed_in.player) if one.game in GAMES]
        games = [(one, standings.list_changes(ctx, signed_in.player, one.game)) for one in own]
        shows = ctx.session.get_one(Player, signed_in.player).shows_rating
    return render_template(
        "matches/ratings.html",
        games=[(GAMES[one.game].name, one, _summary(one), changes, _chart(changes)) for one, changes in games],
        shows=shows,
        zone=signed_in.zone,
        wrong=wrong,
        kept="kept" in request.args,
        pair_limit=MAX_MATCHES_PER_PAIR,
        time_limit=MAX_LOSSES_ON_TIME,
        days=WINDOW.days,
    )


def _summary(one: OwnRating) -> str:
    """Return how certain a rating is, in a sentence."""
    counted = several("One match counts so far.", "{count} matches count so far.", one.matches)
    until = _("It is provisional until {count} matches.", count=PROVISIONAL_MATCHES)
    return f"{counted} {until}" if one.provisional else counted


def _chart(changes: list[MatchRating]) -> str | None:
    """Draw the rating after each match, oldest first."""
    if len(changes) < MIN_CHART_MATCHES:
        return None
    values = [one.after.points for one in reversed(changes)]
    return charts.line(values, _("Rating after each match"), _("Match"))
