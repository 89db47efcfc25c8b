"""Changes of conditional moves, and their effects on the running match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.play.conditional_moves import plan_store
from pbem.play.deadlines import turn_deadlines
from pbem.play.lifecycle import autoplay
from pbem.play.matches.match_state import load_match

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.db.models import Match, SeatHolder
    from pbem.play.conditional_moves.plans import Plan
    from pbem.play.core.context import Context


def add_lines(ctx: Context, match: Match, holder: SeatHolder, lines: Sequence[str], *, anew: bool = False) -> Plan:
    """Add lines to a player's plan, or replace it if `anew`; return the plan as it was understood.

    Raises PlanError with a sentence, and then changes nothing. The match must be running and locked by the caller.
    """
    plan = plan_store.add_lines(ctx, load_match(ctx, match), holder, lines, anew=anew)
    # A plan may come with a move, after which other seats are to move.
    turn_deadlines.sync(ctx, match)
    autoplay.reschedule(ctx, match, holder)
    return plan


def remove_lines(ctx: Context, match: Match, holder: SeatHolder, number: str = "") -> Plan:
    """Remove a line of a plan, or all of it, even while its move waits to be played; return what is left."""
    plan = plan_store.remove(ctx, load_match(ctx, match), holder, number)
    turn_deadlines.sync(ctx, match)
    autoplay.reschedule(ctx, match, holder)
    return plan
