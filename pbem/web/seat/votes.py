"""Pages for a seat whose time has run out: voting, and nominating a substitute."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, abort, redirect, render_template, request, url_for

from pbem.db.models import Match
from pbem.games import GAMES
from pbem.i18n import _
from pbem.play.accounts import dashboard
from pbem.play.core.errors import Refused
from pbem.play.lifecycle.match_requests import Invitee
from pbem.play.matches import seats
from pbem.play.matches.match_state import lock_match
from pbem.play.timeouts import nominations, votes
from pbem.web.common import lookup
from pbem.web.common.seat_link import can_act, find_seat, hold_seat
from pbem.web.request import csrf, current_user, form_fields
from pbem.web.request.context import transaction

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue
    from werkzeug import Response as BaseResponse

    from pbem.db.models import SeatHolder
    from pbem.play.core.context import Context

pages = Blueprint("votes", __name__)


@pages.get("/matches/<match_id>/vote")
def own(match_id: str) -> BaseResponse:
    """Redirect the signed-in player to the page where their seat votes."""
    visitor = current_user.require()
    with transaction() as ctx:
        holder = lookup.own_seat(ctx, match_id, visitor.player)
        match = ctx.session.get_one(Match, match_id)
        return redirect(url_for("votes.vote", token=dashboard.link_token(ctx, match, holder)), 303)


@pages.get("/m/<token>/vote")
def vote(token: str) -> str:
    """Show a seat what it can vote on."""
    with transaction() as ctx:
        match, holder = _find_seat(ctx, token)
        return _vote_page(ctx, match, holder, token)


@pages.post("/m/<token>/vote")
def voted(token: str) -> ResponseReturnValue:
    """Store a vote, and show its result."""
    with transaction() as ctx:
        match, holder = _find_seat(ctx, token)
        if not csrf.is_valid(f"vote {token}"):
            return _vote_page(ctx, match, holder, token, _(csrf.OLD_FORM)), 400
        match = lock_match(ctx, match.id)
        ctx.session.refresh(holder)
        try:
            settled = votes.cast(ctx, match, holder, request.form.get("choice", ""), form_fields.get_number("seat"))
        except Refused as refused:
            return _vote_page(ctx, match, holder, token, str(refused)), 409
        hold_seat(ctx, holder)
    if settled:
        return redirect(url_for("turn.seat", token=token), 303)
    return redirect(url_for("votes.vote", token=token), 303)


@pages.get("/m/<token>/name")
def name(token: str) -> str:
    """Show a host the form to nominate a substitute."""
    with transaction() as ctx:
        match, holder = _find_seat(ctx, token)
        return _nomination_page(ctx, match, holder, token)


@pages.post("/m/<token>/name")
def named(token: str) -> ResponseReturnValue:
    """Nominate a substitute, and invite them by mail."""
    typed = {field: request.form.get(field, "").strip() for field in ("name", "email")}
    seat = form_fields.get_number("seat")
    with transaction() as ctx:
        match, holder = _find_seat(ctx, token)
        if not csrf.is_valid(f"name {token}"):
            return _nomination_page(ctx, match, holder, token, _(csrf.OLD_FORM), **typed), 400
        match = lock_match(ctx, match.id)
        ctx.session.refresh(holder)
        try:
            invited = nominations.nominate(ctx, match, holder, Invitee(typed["name"], typed["email"]), seat)
        except Refused as refused:
            return _nomination_page(ctx, match, holder, token, str(refused), **typed), 422
        hold_seat(ctx, holder)
        return _nomination_page(
            ctx, match, holder, token, done=_("{name} was invited by mail to take the seat.", name=invited)
        )


def _vote_page(ctx: Context, match: Match, holder: SeatHolder, token: str, wrong: str = "") -> str:
    names = _names_by_seat(ctx, match)
    rows = votes.open_votes(ctx, match, holder)
    return render_template(
        "seat/vote.html",
        token=token,
        match=match,
        game=GAMES[match.game],
        # For each seat: its player, the end of the vote, the choices, and this seat's own.
        open_votes=[
            (
                row.seat,
                names[row.seat],
                row.phase_ends_at,
                votes.available_choices(row),
                votes.choices_by_seat(ctx, match, row).get(holder.seat),
            )
            for row in rows
        ],
        choices=votes.CHOICES,
        zone=holder.player.time_zone,
        wrong=wrong,
    )


def _nomination_page(
    ctx: Context, match: Match, holder: SeatHolder, token: str, wrong: str = "", *, done: str = "", **typed: str
) -> str:
    names = _names_by_seat(ctx, match)
    return render_template(
        "seat/nominate.html",
        token=token,
        match=match,
        game=GAMES[match.game],
        seats=[(seat, names[seat]) for seat in nominations.nominable_seats(ctx, match, holder)],
        typed=typed,
        wrong=wrong,
        done=done,
    )


def _find_seat(ctx: Context, token: str) -> tuple[Match, SeatHolder]:
    """Return the match and the holder of a current link; a link of an earlier turn cannot vote."""
    found, match = find_seat(ctx, token)
    if not can_act(ctx, found, match):
        abort(redirect(url_for("turn.seat", token=token), 303))
    return match, found.holder


def _names_by_seat(ctx: Context, match: Match) -> dict[int, str]:
    return {one.seat: one.name for one in seats.holders(ctx, match)}
