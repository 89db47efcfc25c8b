"""Fresh links for players who open one of an earlier turn, or renew theirs: mailed to the seat's own address alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from pbem.db.models import Match, OutboxMessage
from pbem.play.core import tokens
from pbem.play.matches.match_state import load_match
from pbem.play.notifications import outbox
from pbem.states import MatchState, OutboxState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.db.models import SeatHolder
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


def renew(ctx: Context, holders: Sequence[SeatHolder]) -> None:
    """Renew the links and reply addresses of seats: earlier ones are unknown, and unfinished matches are mailed again.

    Mails that are still to be sent get the new ones.
    """
    for holder in holders:
        holder.generation += 1
    by_id = {holder.id: holder for holder in holders}
    pending = OutboxMessage.holder_id.in_(by_id), OutboxMessage.state == OutboxState.PENDING
    stages: Any = select(OutboxMessage.holder_id, OutboxMessage.ply).where(*pending, OutboxMessage.ply.is_not(None))
    for holder_id, ply in ctx.session.execute(stages.distinct()).all():
        tokens.issue(ctx, by_id[holder_id], ply)
    seated = Match.id.in_({holder.match_id for holder in holders})
    unfinished = ctx.session.scalars(select(Match).where(seated, Match.state != MatchState.OVER))
    matches = {match.id: match for match in unfinished}
    for holder in holders:
        if match := matches.get(holder.match_id):
            enqueue(ctx, match, holder, once=f"renewed {match.id} {holder.id} {holder.generation}")
