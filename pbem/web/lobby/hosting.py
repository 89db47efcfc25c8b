"""The host's page of a match that waits for players."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Blueprint, abort, redirect, render_template, request, url_for

from pbem.db.models import Match
from pbem.games import GAMES
from pbem.i18n import _
from pbem.play.core import tokens
from pbem.play.core.errors import Refused
from pbem.play.lifecycle.match_requests import Invitee
from pbem.play.lobby import hosting, open_tables
from pbem.play.matches import descriptions
from pbem.play.matches.match_state import lock_match
from pbem.play.matches.seats import holders
from pbem.play.players import registry
from pbem.states import MatchState
from pbem.web.common.messages import UNKNOWN_LINK, UNKNOWN_MATCH
from pbem.web.common.seat_link import resolve_seat
from pbem.web.request import csrf, current_user, form_fields
from pbem.web.request.context import service, transaction

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue
    from werkzeug import Response as BaseResponse

    from pbem.db.models import SeatHolder
    from pbem.play.core.context import Context

pages = Blueprint("hosting", __name__)

REMIND, REPLACE, CALL_OFF = "remind", "replace", "off"
"""Values of the page's buttons."""


@pages.get("/matches/<match_id>/host")
def own(match_id: str) -> BaseResponse:
    """Redirect a host who is signed in to the page of their match."""
    visitor = current_user.require()
    with transaction() as ctx:
        match = ctx.session.get(Match, match_id)
        mine = (one for one in holders(ctx, match) if one.player_id == visitor.player) if match else ()
        host = next((one for one in mine if match and hosting.is_host(match, one)), None)
        if host is None:
            abort(404, description=UNKNOWN_MATCH)
        return redirect(url_for("hosting.look", token=invitation_token(ctx, host)), 303)


@pages.get("/table/<token>")
def look(token: str) -> str:
    """Show a host their match; nothing happens before a form is sent."""
    with transaction() as ctx:
        match, host = _find_host(ctx, token)
        return _page(ctx, match, host, token)


@pages.post("/table/<token>")
def act(token: str) -> ResponseReturnValue:
    """Remind or replace an invitee, or call the match off, and show the result."""
    action = request.form.get("do", "")
    with transaction() as ctx:
        _match, host = _find_host(ctx, token)
        match = lock_match(ctx, host.match_id)
        if match.seed is not None:
            return redirect(url_for("hosting.look", token=token), 303)
        if not csrf.is_valid(f"table {token}"):
            return _page_with_error(ctx, match, host, token, _(csrf.OLD_FORM)), 400
        try:
            if action == REMIND:
                return _page(ctx, match, host, token, reminded=hosting.remind(ctx, match, host))
            if action == REPLACE:
                drawn = hosting.replace(ctx, match, host, *_parse_replacement(ctx, match))
                newest = next(one for one in holders(ctx, drawn) if one.seat == host.seat)
                return redirect(url_for("hosting.look", token=invitation_token(ctx, newest)), 303)
            if action == CALL_OFF:
                hosting.cancel(ctx, match, host)
        except Refused as refused:
            return _page_with_error(ctx, match, host, token, str(refused)), 422
        return redirect(url_for("hosting.look", token=token), 303)


def _find_host(ctx: Context, token: str) -> tuple[Match, SeatHolder]:
    found = resolve_seat(ctx, token)
    match = ctx.session.get_one(Match, found.holder.match_id)
    if not hosting.is_host(match, found.holder):
        abort(404, description=UNKNOWN_LINK)
    return match, found.holder


def invitation_token(ctx: Context, holder: SeatHolder) -> str:
    """Return the token of a seat's invitation; only for a player who has shown that the seat is theirs."""
    return tokens.rederive(ctx, holder, tokens.LINK, 0, tokens.key_id(service().config.secret_keys[-1]))


def _parse_replacement(ctx: Context, match: Match) -> tuple[int, Invitee | None]:
    """Return the seat to replace and its new invitee; None, for anyone, without a name and an address."""
    number = form_fields.get_number("seat") or 0
    name, email = request.form.get("name", "").strip(), request.form.get("email", "").strip()
    if not name and not email:
        return number, None
    others = [one.name for one in holders(ctx, match) if one.seat != number]
    return number, Invitee(registry.unique_name(name, others) if name else name, email)


def _page_with_error(ctx: Context, match: Match, host: SeatHolder, token: str, wrong: str) -> str:
    typed = {name: request.form.get(name, "") for name in ("seat", "name", "email")}
    return _page(ctx, match, host, token, wrong=wrong, typed=typed)


def _page(ctx: Context, match: Match, host: SeatHolder, token: str, **more: Any) -> str:
    present = holders(ctx, match)
    names = {one.seat: descriptions.list_name(one.name, one.player.robot_level) for one in present}
    waits = match.state == MatchState.INVITING
    return render_template(
        "lobby/hosting.html",
        token=token,
        match=match,
        game=GAMES[match.game],
        host=host,
        places=[(place.seat, names.get(place.seat, ""), bool(place.accepted_at)) for place in match.seats],
        unanswered=hosting.unanswered_invitees(ctx, match) if waits else [],
        link=open_tables.invitation_link(ctx.config, match.id) if waits and match.open_seats else "",
        **more,
    )
