"""The dashboard: all matches of the signed-in player, the most urgent first, with a link to each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, redirect, render_template, request, url_for

from pbem.db.models import Match
from pbem.i18n import _
from pbem.play.accounts import dashboard as standings
from pbem.play.accounts import feeds
from pbem.play.core import tokens
from pbem.play.events import listing
from pbem.play.leagues import overview
from pbem.play.timeouts import reclaims
from pbem.time_format import format_relative
from pbem.web.account.feeds import match_title
from pbem.web.common import cursors, lookup
from pbem.web.common.urls import absolute_url
from pbem.web.request import csrf, current_user, form_fields
from pbem.web.request.context import transaction

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue
    from werkzeug import Response as BaseResponse

    from pbem.play.accounts.login_sessions import CurrentUser

pages = Blueprint("dashboard", __name__)

MAX_MATCHES = 50
"""Maximum unfinished matches per page."""
_MAX_SKIP_DIGITS = 6


@pages.get("/mine")
def mine() -> str:
    """Show the player's matches."""
    return _page(current_user.require())


@pages.post("/mine/feeds")
def renew() -> ResponseReturnValue:
    """Create private feed URLs, or replace those that others may have seen."""
    visitor = current_user.require()
    if not csrf.is_valid("feeds"):
        return _page(visitor, _(csrf.OLD_FORM)), 400
    with transaction() as ctx:
        feeds.renew(ctx, visitor.player)
    return redirect(url_for("dashboard.mine", _anchor="feeds"), 303)


@pages.get("/mine/<match_id>")
def turn(match_id: str) -> BaseResponse:
    """Redirect to the player's own page of a match: the turn, the invitation or the result."""
    visitor = current_user.require()
    with transaction() as ctx:
        holder = lookup.own_seat(ctx, match_id, visitor.player)
        match = ctx.session.get_one(Match, match_id)
        if match.public and match.seed is not None and tokens.have_expired(ctx, match.ended_at):
            return redirect(url_for("matches.match", match_id=match.id), 303)
        return redirect(url_for("turn.seat", token=standings.link_token(ctx, match, holder)), 303)


def _page(visitor: CurrentUser, wrong: str = "") -> str:
    skipped = form_fields.parse_number(request.args.get("skip"), _MAX_SKIP_DIGITS) or 0
    before = cursors.decode(request.args.get("before", ""))
    with transaction() as ctx:
        if before:
            present, over = [], standings.finished(ctx, visitor.player, before)
        elif skipped:
            present, over = standings.unfinished(ctx, visitor.player), []
        else:
            present, over = standings.overview(ctx, visitor.player)
        shown = present[skipped : skipped + MAX_MATCHES]
        token = feeds.current_token(ctx, visitor.player)
        lost = [] if skipped or before else reclaims.list_matches(ctx, visitor.player)
        seasons = [] if skipped or before else overview.own_seasons(ctx, visitor.player)
        ladders = [] if skipped or before else listing.own_ladders(ctx, visitor.player)
        now = ctx.now
    last = over[standings.FINISHED_PER_PAGE - 1] if len(over) > standings.FINISHED_PER_PAGE else None
    return render_template(
        "account/dashboard.html",
        waiting=[one for one in shown if one.waits],
        others=[one for one in shown if one.begun and not one.waits],
        unbegun=[one for one in shown if not one.begun and not one.waits],
        over=over[: standings.FINISHED_PER_PAGE],
        waits=sum(one.waits for one in present),
        more=skipped + MAX_MATCHES if len(present) > skipped + MAX_MATCHES else None,
        older=cursors.encode(last.ended_at or last.since, last.match) if last else None,
        first=not skipped and not before,
        lost=lost,
        seasons=seasons,
        ladders=ladders,
        token=token,
        zone=visitor.zone,
        now=now,
        away=format_relative,
        titles={one.match: match_title(one) for one in (*shown, *over)},
        outside=absolute_url,
        wrong=wrong,
    )
