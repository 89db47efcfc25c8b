"""A fresh link: for whoever opens one of an earlier turn, mailed to the seat's own address and shown to nobody."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.play.matches.match_state import course_of
from pbem.play.notifications import outbox
from pbem.states import MatchState

if TYPE_CHECKING:
    from pbem.db.models import Holder, Match
    from pbem.play.core.context import Context

SECONDS = 60
"""One such mail in so long at the most, however often it is asked for."""


def owe_fresh_link(ctx: Context, match: Match, holder: Holder, *, once: str | None = None) -> None:
    """Owe a seat's holder a mail with the match as it stands and links that work now.

    `once` keeps it from being owed twice, where that is not how often it is asked for.
    """
    once = once or f"fresh {match.id} {holder.id} {int(ctx.now.timestamp()) // SECONDS}"
    if match.seed is None:
        if match.state != MatchState.INVITING:
            return
        facts = outbox.waiting_facts(ctx, match, holder)
        outbox.owe(ctx, "invited", holder, match, facts, once=once, ply=0)
        return
    facts = outbox.position_facts(ctx, course_of(ctx, match), holder)
    outbox.owe(ctx, "board", holder, match, facts, once=once)
