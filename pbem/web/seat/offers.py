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
from pbem.web.common.page_reload import reload_seconds
from pbem.web.common.seat_link import can_act, find_seat, hold_seat, holds_seat, render_old_link
from pbem.web.request import csrf, form_fields
from pbem.web.request.context import transaction

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    from pbem.db.models import Match, Token
    from pbem.play.core.context import Context

pages = Blueprint("offers", __name__)


@pages.get("/m/<token>/agreements")
def look(token: str) -> ResponseReturnValue:
    """Show the open offers, and those that can be made."""
    with transaction() as ctx:
        found, match = find_seat(ctx, token)
        if match.state != MatchState.RUNNING:
            return redirect(url_for("turn.seat", token=token))
        return _page(ctx, found, match, token)


@pages.post("/m/<token>/agreements")
def say(token: str) -> ResponseReturnValue:
    """Store an offer or an answer to one, and show the result."""
    kind, action = request.form.get("kind", ""), request.form.get("wish", "")
    days, ply = form_fields.get_number("days"), form_fields.get_number("ply")
    with transaction() as ctx:
        found, match = find_seat(ctx, token)
        known = kind in KINDS and action in agreements.ACTIONS and ply is not None
        if not known or not can_act(ctx, found, match):
            return redirect(url_for("offers.look", token=token), 303)
        if not csrf.is_valid(f"agreements {token}"):
            return _page(ctx, found, match, token, wrong=_(csrf.OLD_FORM)), 400
        text = agreements.serialise(kind, action, days, request.form.get("since"))
        sent = queue.send_chat(ctx, found, ply or 0, text, request.form["nonce"])
        hold_seat(ctx, found.holder)
    return redirect(url_for("offers.look", token=token, sent=sent), 303)


def _page(ctx: Context, found: Token, match: Match, token: str, wrong: str = "") -> str:
    outcome = _result(ctx, found)
    if outcome:
        # The match was read before the verdict, so it may be older; an agreement may begin a stage with new links.
        ctx.session.refresh(match)
        if holds_seat(ctx, found.holder):
            found = tokens.current_token(ctx, match, found.holder)
    if not tokens.is_current(ctx, found, match):
        return render_old_link(match, token)
    participant = Participant(ctx, match, found.holder)
    proposed = agreements.open_proposals(ctx, match, found.holder)
    kinds = [kind for kind in KINDS if len(match.seats) > 1 or kind == TAKEBACK]
    known = {one.kind for one in proposed}
    return render_template(
        "seat/offers.html",
        token=token,
        match=match,
        game=GAMES[match.game],
        proposals=proposed,
        your_turn=found.holder.seat in match.to_move,
        may=[kind for kind in kinds if kind not in known and agreements.can_propose(participant, kind)],
        gives=found.holder.seat not in match.to_move,
        alone=len(match.seats) == 1,
        extensions=time_extensions,
        stopped=match_pauses.end_time(ctx, match),
        zone=found.holder.player.time_zone,
        words=wording,
        outcome=outcome,
        wrong=wrong,
    )


def _result(ctx: Context, found: Token) -> dict[str, Any] | None:
    """Return the result of what was just sent, if it was sent for this seat."""
    row = ctx.session.get(Submission, request.args.get("sent", ""))
    if row is None or row.holder_id != found.holder_id or row.via != queue.CHAT:
        return None
    return {
        "reload_after": reload_seconds(row.received_at, ctx.now) if row.status == SubmissionStatus.PENDING else None,
        "refused": row.status != SubmissionStatus.DONE,
        "said": row.reason or "",
    }
