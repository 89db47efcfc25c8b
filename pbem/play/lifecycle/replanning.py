"""Replanning: what follows at a table when somebody changes what they have decided in advance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.play.conditional_moves import plan_store
from pbem.play.deadlines import turn_deadlines
from pbem.play.lifecycle import autoplay, create
from pbem.play.matches.match_state import course_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.db.models import Holder, Match
    from pbem.play.conditional_moves.plans import Plan
    from pbem.play.core.context import Context


def keep(ctx: Context, match: Match, holder: Holder, lines: Sequence[str], *, anew: bool = False) -> Plan:
    """Add lines to a holder's plan, or make it `anew` of them; gives it as it is understood.

    Raises PlanError with a sentence, and then all stays as it was. The caller has locked the match, which runs.
    """
    plan = plan_store.keep(ctx, course_of(ctx, match), holder, lines, anew=anew)
    _look_again(ctx, match, holder)
    return plan


def forget(ctx: Context, match: Match, holder: Holder, number: str = "") -> Plan:
    """Take back a line of a plan, or all of it, also while its move waits for its moment; gives what is left."""
    plan = plan_store.forget(ctx, course_of(ctx, match), holder, number)
    _look_again(ctx, match, holder)
    return plan


def _look_again(ctx: Context, match: Match, holder: Holder) -> None:
    """See anew whether the service plays for a seat; whoever is to move after all is asked for it."""
    # A plan may come with a move, after which others are asked.
    turn_deadlines.ask(ctx, match)
    if autoplay.reconsider(ctx, match, holder):
        create.owe_turns(ctx, match, {})
