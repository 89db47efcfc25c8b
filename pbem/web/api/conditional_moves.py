"""API of a seat's conditional moves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.i18n import marked
from pbem.play.accounts import api_keys
from pbem.play.conditional_moves import plan_store, plans
from pbem.play.core import tokens
from pbem.play.deadlines import turn_deadlines
from pbem.play.lifecycle import plan_changes
from pbem.play.matches.match_state import load_match
from pbem.states import MatchState
from pbem.web.api import schemas, seat_access
from pbem.web.common import lookup
from pbem.web.common.messages import UNKNOWN_LINK
from pbem.web.request.context import transaction
from pbem.web.request.errors import refuse
from pbem.web.request.request_bodies import APIBlueprint

if TYPE_CHECKING:
    from pbem.db.models import Match, Token
    from pbem.play.core.context import Context

api = APIBlueprint("api conditional moves", __name__, url_prefix="/api", description="Conditional moves")


@api.get("/me/matches/<match_id>/plan")
@api.response(200, schemas.Plan)
@api.alt_response(404, schema=schemas.Problem, description="the caller has no seat there")
@api.doc(security=[{"key": [api_keys.READ]}])
def my_plan(match_id: str) -> dict[str, Any]:
    """Show the conditional moves of the caller's seat, which only they see."""
    with transaction() as ctx:
        return _plan_data(ctx, *seat_access.by_key(ctx, match_id, api_keys.READ))


@api.put("/me/matches/<match_id>/plan")
@api.arguments(schemas.NewPlan)
@api.response(200, schemas.Plan)
@api.alt_response(404, schema=schemas.Problem, description="the caller has no seat there")
@api.alt_response(409, schema=schemas.Problem, description="the match is not running")
@api.doc(security=[{"key": [api_keys.PLAY]}])
def plan_my_seat(wanted: dict[str, Any], match_id: str) -> dict[str, Any]:
    """Replace the conditional moves of the caller's seat; if one line is not understood, nothing is changed."""
    with transaction() as ctx:
        return _replace(ctx, seat_access.by_key(ctx, match_id, api_keys.PLAY)[0], wanted["lines"])


@api.delete("/me/matches/<match_id>/plan")
@api.response(200, schemas.Plan)
@api.alt_response(404, schema=schemas.Problem, description="the caller has no seat there")
@api.alt_response(409, schema=schemas.Problem, description="the match is not running")
@api.doc(security=[{"key": [api_keys.PLAY]}])
def forget_my_plan(match_id: str) -> dict[str, Any]:
    """Delete all conditional moves of the caller's seat, even while a move waits to be played."""
    with transaction() as ctx:
        return _delete(ctx, seat_access.by_key(ctx, match_id, api_keys.PLAY)[0])


@api.get("/seats/<token>/plan")
@api.response(200, schemas.Plan)
@api.alt_response(404, schema=schemas.Problem, description="no such link, or one of an earlier turn")
def seat_plan(token: str) -> dict[str, Any]:
    """Show the conditional moves of a seat, which only its player sees."""
    with transaction() as ctx:
        return _plan_data(ctx, *seat_access.by_token(ctx, token))


@api.put("/seats/<token>/plan")
@api.arguments(schemas.NewPlan)
@api.response(200, schemas.Plan)
@api.alt_response(404, schema=schemas.Problem, description="no such link, or one of an earlier turn")
@api.alt_response(409, schema=schemas.Problem, description="the match is not running")
def plan_seat(wanted: dict[str, Any], token: str) -> dict[str, Any]:
    """Replace the conditional moves of a seat; if one line is not understood, nothing is changed."""
    with transaction() as ctx:
        return _replace(ctx, seat_access.by_token(ctx, token)[0], wanted["lines"])


@api.delete("/seats/<token>/plan")
@api.response(200, schemas.Plan)
@api.alt_response(404, schema=schemas.Problem, description="no such link, or one of an earlier turn")
@api.alt_response(409, schema=schemas.Problem, description="the match is not running")
def forget_plan(token: str) -> dict[str, Any]:
    """Delete all conditional moves of a seat, even while a move waits to be played."""
    with transaction() as ctx:
        return _delete(ctx, seat_access.by_token(ctx, token)[0])


def _replace(ctx: Context, found: Token, lines: list[str]) -> dict[str, Any]:
    match = _lock_running(ctx, found)
    try:
        plan_changes.add_lines(ctx, match, found.holder, lines, anew=True)
    except plans.PlanError as refused:
        refuse(422, str(refused), {"json": {"lines": [str(refused)]}})
    return _plan_data(ctx, found, match)


def _delete(ctx: Context, found: Token) -> dict[str, Any]:
    match = _lock_running(ctx, found)
    plan_changes.remove_lines(ctx, match, found.holder)
    return _plan_data(ctx, found, match)


def _lock_running(ctx: Context, found: Token) -> Match:
    """Lock the match of a link, which must be running; 404 if the link's turn has just passed."""
    match = lookup.lock_seat(ctx, found)
    if not tokens.is_current(ctx, found, match):
        refuse(404, UNKNOWN_LINK)
    if match.state != MatchState.RUNNING:
        refuse(409, marked("You can plan moves only while the match is running."), code="not-running")
    return match


def _plan_data(ctx: Context, found: Token, match: Match) -> dict[str, Any]:
    holder = found.holder
    kept = (
        plan_store.current(ctx, load_match(ctx, match), holder) if match.state == MatchState.RUNNING else plans.Plan()
    )
    return {
        "lines": plans.to_text(kept).splitlines(),
        "understood": [
            {"number": one.number, "condition": one.condition, "move": one.move, "sentence": plans.sentence(one)}
            for one in plans.numbered_lines(kept)
        ],
        "waits": turn_deadlines.has_scheduled_move(ctx, match, holder.seat),
    }
