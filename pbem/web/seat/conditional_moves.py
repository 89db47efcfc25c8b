"""The page of a seat's conditional moves: as they were understood, to change or delete."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, redirect, render_template, request, url_for

from pbem.games import GAMES, Seat
from pbem.i18n import _
from pbem.play.conditional_moves import plan_store, plans
from pbem.play.core import tokens
from pbem.play.deadlines import turn_deadlines
from pbem.play.lifecycle import plan_changes
from pbem.play.matches.match_state import load_match
from pbem.states import MatchState
from pbem.web.common import lookup
from pbem.web.common.seat_link import can_act, find_seat, hold_seat, render_old_link, resolve_seat
from pbem.web.request import csrf
from pbem.web.request.context import transaction

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    from pbem.db.models import Match, Token
    from pbem.play.core.context import Context

pages = Blueprint("conditional_moves", __name__)


@pages.get("/m/<token>/plan")
def plan(token: str) -> ResponseReturnValue:
    """Show the conditional moves, with a form to change them and what can be written."""
    with transaction() as ctx:
        found, match = find_seat(ctx, token)
        if match.state != MatchState.RUNNING:
            return redirect(url_for("turn.seat", token=token))
        return _page(ctx, match, found, token)


@pages.post("/m/<token>/plan")
def change(token: str) -> ResponseReturnValue:
    """Store the conditional moves, or delete a line of them."""
    with transaction() as ctx:
        found = resolve_seat(ctx, token)
        match = lookup.lock_seat(ctx, found)
        if not can_act(ctx, found, match):
            return redirect(url_for("conditional_moves.plan", token=token), 303)
        typed, number = request.form.get("plan", ""), request.form.get("forget")
        if not csrf.is_valid(f"plan {token}"):
            return _page(ctx, match, found, token, wrong=_(csrf.OLD_FORM), typed=typed), 400
        try:
            if number is not None:
                plan_changes.remove_lines(ctx, match, found.holder, number)
            else:
                plan_changes.add_lines(ctx, match, found.holder, typed.splitlines(), anew=True)
        except plans.PlanError as refused:
            return _page(ctx, match, found, token, wrong=str(refused), typed=typed), 422
        hold_seat(ctx, found.holder)
    return redirect(url_for("conditional_moves.plan", token=token), 303)


def _page(ctx: Context, match: Match, found: Token, token: str, wrong: str = "", typed: str = "") -> str:
    if not tokens.is_current(ctx, found, match):
        return render_old_link(match, token)
    course, holder = load_match(ctx, match), found.holder
    kept = plan_store.current(ctx, course, holder)
    view = course.game.view(course.position, Seat(holder.seat))
    return render_template(
        "seat/conditional_moves.html",
        token=token,
        game=GAMES[match.game],
        kept=[(one.number, plans.sentence(one)) for one in plans.numbered_lines(kept)],
        warning=plans.resignation_warning([one.move for one in plans.numbered_lines(kept)]),
        written=typed or plans.to_text(kept),
        conditions=course.game.conditions(view),
        examples=plan_store.examples(course, holder),
        orders={order: _(about) for order, about in course.game.policies.items()},
        waits=turn_deadlines.has_scheduled_move(ctx, match, holder.seat),
        your_turn=holder.seat in match.to_move,
        wrong=wrong,
    )
