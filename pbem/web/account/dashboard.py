"""The dashboard: all matches of the signed-in player, the most urgent first, with a link to each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, redirect, render_template, request, url_for

from pbem.db.models import Match
from pbem.i18n import _
from pbem.play.accounts import dashboard as standings
from pbem.play.accounts import feeds
from pbem.states import MatchState
from pbem.time_format import away
from pbem.web.account.feeds import called
from pbem.web.common import csrf, current_user, cursors, form_fields, lookup
from pbem.web.common.context import transaction
from pbem.web.common.urls import outside

if TYPE_CHECKING:
    from werkzeug import Response as BaseResponse

    from pbem.play.accounts.login_sessions import Visitor

pages = Blueprint("dashboard", __name__)

AT_ONCE = 50
"""Maximum matches shown at once that are not over."""
_LONGEST = 6
"""Maximum digits of the number of matches to skip."""


@pages.get("/mine")
def mine() -> str:
    """Show the player's matches."""
    return _page(current_user.needed())


@pages.post("/mine/feeds")
def renew() -> BaseResponse | tuple[str, int]:
    """Create private feed URLs, or replace those that others may have seen."""
    visitor = current_user.needed()
    if not csrf.is_ours("feeds"):
        return _page(visitor, _(csrf.OLD_FORM)), 400
    with transaction() as ctx:
        feeds.make(ctx, visitor.player)
    return redirect(url_for("dashboard.mine", _anchor="feeds"), 303)


@pages.get("/mine/<match_id>")
def turn(match_id: str) -> BaseResponse:
    """Redirect to the player's own page of a match: the turn, the invitation, or how it ended."""
    visitor = current_user.needed()
    with transaction() as ctx:
        holder = lookup.own_seat(ctx, match_id, visitor.player)
        match = ctx.session.get_one(Match, match_id)
        if match.state == MatchState.OVER and match.public and match.seed is not None:
            return redirect(url_for("matches.match", match_id=match.id), 303)
        return redirect(url_for("turn.seat", token=standings.own_link(ctx, match, holder)), 303)


def _page(visitor: Visitor, wrong: str = "") -> str:
    skipped, before = _skipped(), cursors.read(request.args.get("before", ""))
    with transaction() as ctx:
        present = [] if before else standings.present(ctx, visitor.player)
        shown = present[skipped : skipped + AT_ONCE]
        over = [] if skipped else standings.finished(ctx, visitor.player, before)
        token = feeds.token_of(ctx, visitor.player)
        now = ctx.now
    last = over[standings.FINISHED_AT_ONCE - 1] if len(over) > standings.FINISHED_AT_ONCE else None
    return render_template(
        "mine.html",
        waiting=[one for one in shown if one.waits],
        others=[one for one in shown if one.begun and not one.waits],
        unbegun=[one for one in shown if not one.begun and not one.waits],
        over=over[: standings.FINISHED_AT_ONCE],
        waits=sum(one.waits for one in present),
        more=skipped + AT_ONCE if len(present) > skipped + AT_ONCE else None,
        older=cursors.written(last.ended_at or last.since, last.match) if last else None,
        first=not skipped and not before,
        token=token,
        zone=visitor.zone,
        now=now,
        away=away,
        called=called,
        outside=outside,
        wrong=wrong,
    )


def _skipped() -> int:
    return form_fields.number(request.args.get("skip"), _LONGEST) or 0
