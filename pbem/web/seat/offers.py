"""The page of a seat's offers: proposing, accepting, declining, ending a pause."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Blueprint, redirect, render_template, request, url_for

from pbem.db.models import Submission
from pbem.games import GAMES
from pbem.i18n import _
from pbem.play.core import tokens
from pbem.play.lifecycle import agreements
from pbem.play.lifecycle.agreements import Participant
from pbem.play.offers import match_pauses, time_extensions, wording
from pbem.play.offers.wording import KINDS, TAKEBACK
from pbem.play.submissions import queue
from pbem.states import MatchState, SubmissionStatus
from pbem.web.common.seat_link import match_of, render_old_link, resolve_seat
from pbem.web.common.urls import turn_page
from pbem.web.common.verdicts import reload_seconds
from pbem.web.request import csrf, form_fields
from pbem.web.request.context import transaction

if TYPE_CHECKING:
    from werkzeug import Response as BaseResponse

    from pbem.db.models import Match, Token
    from pbem.play.core.context import Context

    Page = str | BaseResponse | tuple[str, int]

pages = Blueprint("offers", __name__)


@pages.get("/m/<token>/agreements")
def look(token: str) -> Page:
    """Show the open offers, and those that can be made; looking does nothing."""
    with transaction() as ctx:
        found, match = _find_seat(ctx, token)
        if match.state != MatchState.RUNNING:
            return redirect(url_for("turn.seat", token=token))
        return _page(ctx, found, match, token)


@pages.post("/m/<token>/agreements")
def say(token: str) -> Page:
    """Store an offer or an answer to one, and show the result."""
    kind, wish = request.form.get("kind", ""), request.form.get("wish", "")
    days, ply = form_fields.get_number("days"), form_fields.get_number("ply")
    with transaction() as ctx:
        found, match = _find_seat(ctx, token)
        known = kind in KINDS and wish in agreements.ACTIONS and ply is not None
        if match.state != MatchState.RUNNING or not tokens.is_current(ctx, found, match) or not known:
            return redirect(url_for("offers.look", token=token), 303)
        if not csrf.is_valid(f"agreements {token}"):
            return _page(ctx, found, match, token, wrong=_(csrf.OLD_FORM)), 400
        text = agreements.serialise(kind, wish, days, request.form.get("since"))
        sent = queue.send_chat(ctx, found, ply or 0, text, request.form["nonce"])
    was = csrf.proof(f"{found.holder_id} {sent}")
    return redirect(url_for("offers.look", token=token, sent=sent, was=was), 303)


def _page(ctx: Context, found: Token, match: Match, token: str, wrong: str = "") -> str:
    game, became = GAMES[match.game], _result(ctx, found)
    if not tokens.is_current(ctx, found, match):
        # An agreement may begin a stage with new links: its sender is led on.
        leads_on = became is not None and found.holder.seat in match.to_move
        go_on = turn_page(ctx, match, found.holder) if leads_on else None
        return render_old_link(match, token, became=became, go_on=go_on)
    voice = Participant(ctx, match, found.holder)
    proposed = agreements.open_proposals(ctx, match, found.holder)
    kinds = [kind for kind in KINDS if len(match.seats) > 1 or kind == TAKEBACK]
    known = {one.kind for one in proposed}
    return render_template(
        "seat/offers.html",
        token=token,
        match=match,
        game=game,
        proposals=proposed,
        may=[kind for kind in kinds if kind not in known and agreements.can_propose(voice, kind)],
        gives=found.holder.seat not in match.to_move,
        alone=len(match.seats) == 1,
        extensions=time_extensions,
        stopped=match_pauses.end_time(ctx, match),
        zone=found.holder.player.time_zone,
        words=wording,
        became=became,
        wrong=wrong,
    )


def _result(ctx: Context, found: Token) -> dict[str, Any] | None:
    """Return the result of what was just sent, if it was by this seat and in this browser."""
    sent = request.args.get("sent", "")
    if not csrf.is_valid_proof(request.args.get("was", ""), f"{found.holder_id} {sent}", csrf.PROOF_SECONDS):
        return None
    row = ctx.session.get_one(Submission, sent)
    return {
        "reload_after": reload_seconds(row.received_at, ctx.now) if row.status == SubmissionStatus.PENDING else None,
        "refused": row.status != SubmissionStatus.DONE,
        "said": row.reason or "",
    }


def _find_seat(ctx: Context, typed: str) -> tuple[Token, Match]:
    found = resolve_seat(ctx, typed)
    return found, match_of(ctx, found)
