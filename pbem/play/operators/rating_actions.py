"""Operators' act on the rating of a match: to annul it. The players are notified, with the reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.play.core.actors import MATCH, ActionError, ActionResult, Actor
from pbem.play.operators import lookup
from pbem.play.operators.notify import notify_match
from pbem.play.operators.perform import act
from pbem.play.ratings import updates
from pbem.states import MatchState

if TYPE_CHECKING:
    from pbem.play.core.context import Context

ANNULLED = "annulled"
"""Kind of the mail to the players."""


@act("annul", MATCH)
def annul(ctx: Context, _actor: Actor, match_id: str, reason: str, /) -> ActionResult:
    """Annul a match that is over for ratings: its result stays, and all ratings since are computed anew."""
    # Before the match: what rates locks both in this order.
    updates.lock(ctx)
    match = lookup.lock_match(ctx, match_id)
    if match.annulled_at is not None:
        return ActionResult(f"Match {match.id} is already annulled for ratings.", changed=False)
    if match.state != MatchState.OVER:
        raise ActionError("The match is not over. Abort it, and it does not count.")
    if match.seed is None or match.ended_at is None or not match.rated:
        raise ActionError("The match is not rated.")
    match.annulled_at = ctx.now
    ctx.session.flush()
    updates.rewind(ctx, (match.ended_at, match.id))
    notify_match(ctx, match, ANNULLED, reason)
    return ActionResult(f"Match {match.id} counts for no rating any more; its players are notified.")
