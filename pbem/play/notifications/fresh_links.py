"""Fresh links for players who open one of an earlier turn: mailed to the seat's own address and never shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.play.matches.match_state import load_match
from pbem.play.notifications import outbox
from pbem.states import MatchState

if TYPE_CHECKING:
    from pbem.db.models import Match, SeatHolder
    from pbem.play.core.context import Context

WINDOW_SECONDS = 60
"""Length of a window in seconds in which a player gets at most one such mail, however often they ask."""


def enqueue(ctx: Context, match: Match, holder: SeatHolder, *, once: str | None = None) -> None:
    """Enqueue a mail to a seat's player with the current state of the match and valid links.

    `once` is an idempotency key to use instead of the one that limits the rate.
    """
    once = once or f"fresh {match.id} {holder.id} {int(ctx.now.timestamp()) // WINDOW_SECONDS}"
    if match.seed is not None:
        facts = outbox.position_facts(ctx, load_match(ctx, match), holder)
        outbox.enqueue(ctx, "board", holder, match, facts, once=once)
    elif match.state == MatchState.INVITING:
        facts = outbox.unstarted_facts(ctx, match, holder)
        outbox.enqueue(ctx, "invited", holder, match, facts, once=once, ply=0)
