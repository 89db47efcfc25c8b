"""API of a seat's conditional moves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.db.models import Match
from pbem.i18n import marked
from pbem.play.conditional_moves import plan_store, plans
from pbem.play.core import tokens
from pbem.play.lifecycle import plan_changes
from pbem.play.matches.match_state import load_match, lock_match
from pbem.states import MatchState
from pbem.web.api import schemas
from pbem.web.common import lookup
from pbem.web.common.messages import UNKNOWN_LINK
from pbem.web.request.context import transaction
from pbem.web.request.errors import refuse
from pbem.web.request.request_bodies import APIBlueprint

if TYPE_CHECKING:
    from pbem.db.models import SeatHolder
    from pbem.play.core.context import Context

api = APIBlueprint("api conditional moves", __name__, url_prefix="/api", description="Conditional moves")


@api.get("/seats/<token>/plan")
@api.response(200, schemas.Plan)
@api.alt_response(404, schema=schemas.Problem, description="no such link, or one of an earlier turn")
def seat_plan(token: str) -> dict[str, Any]:
    """Show the conditional moves of a seat, which only its player sees."""
    with transaction() as ctx:
        return _plan_data(ctx, *_find_seat(ctx, token))


@api.put("/seats/<token>/plan")
@api.arguments(schemas.NewPlan)
@api.response(200, schemas.Plan)
@api.alt_response(404, schema=schemas.Problem, description="no such link, or one of an earlier turn")
@api.alt_response(409, schema=schemas.Problem, description="the match is not running")
def plan_seat(wanted: dict[str, Any], token: str) -> dict[str, Any]:
    """Replace the conditional moves of a seat; if one line is not understood, nothing is changed."""
    with transaction() as ctx:
        match, holder = _find_seat(ctx, token, change=True)
        try:
            plan_changes.add_lines(ctx, match, holder, wanted["lines"], anew=True)
        except plans.PlanError as refused:
            refuse(422, str(refused), {"json": {"lines": [str(refused)]}})
        return _plan_data(ctx, match, holder)


@api.delete("/seats/<token>/plan")
@api.response(200, schemas.Plan)
@api.alt_response(404, schema=schemas.Problem, description="no such link, or one of an earlier turn")
@api.alt_response(409, schema=schemas.Problem, description="the match is not running")
def forget_plan(token: str) -> dict[str, Any]:
    """Delete all conditional moves of a seat, even while a move waits to be played."""
    with transaction() as ctx:
        match, holder = _find_seat(ctx, token, change=True)
        plan_changes.remove_lines(ctx, match, holder)
        return _plan_data(ctx, match, holder)


def _find_seat(ctx: Context, token: str, *, change: bool = False) -> tuple[Match, SeatHolder]:
    """Return match and player of a current link; to `change` something, the match must be running."""
    found = lookup.link(ctx, token)
    match = lock_match(ctx, found.holder.match_id) if change else ctx.session.get_one(Match, found.holder.match_id)
    if not tokens.is_current(ctx, found, match):
        refuse(404, UNKNOWN_LINK)
    if change and match.state != MatchState.RUNNING:
        refuse(409, marked("You can plan moves only while the match is running."))
    return match, found.holder


def _plan_data(ctx: Context, match: Match, holder: SeatHolder) -> dict[str, Any]:
    kept = (
        plan_store.current(ctx, load_match(ctx, match), holder) if match.state == MatchState.RUNNING else plans.Plan()
    )
    return {
        "lines": plans.to_text(kept).splitlines(),
        "understood": [
            {"number": one.number, "condition": one.condition, "move": one.move, "sentence": plans.sentence(one)}
            for one in plans.numbered_lines(kept)
        ],
        "waits": plan_store.is_scheduled(ctx, match, holder),
    }
