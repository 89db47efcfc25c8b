"""Opening of shared deals: once all their matches are over, or their time has passed, nothing is withheld any more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import and_, or_, select, update

from pbem.db.models import DealSet, Match
from pbem.states import DealSetKind, MatchState

if TYPE_CHECKING:
    from pbem.play.core.context import Context

_HAS_MATCHES = select(Match.id).where(Match.set_id == DealSet.id).exists()
_IS_PLAYED = select(Match.id).where(Match.set_id == DealSet.id, Match.state != MatchState.OVER).exists()
# More people may still play the deal of a week after those who did are done.
_IS_OVER = and_(DealSet.kind != DealSetKind.WEEK, _HAS_MATCHES, ~_IS_PLAYED)


def open_next(ctx: Context) -> DealSet | None:
    """Open one shared deal that is due, and return it; None if none is that nobody else is opening."""
    due = DealSet.opened_at.is_(None) & or_(DealSet.closes_at <= ctx.now, _IS_OVER)
    waiting = select(DealSet).where(due).order_by(DealSet.created_at).limit(1)
    deal_set = ctx.session.scalar(waiting.with_for_update(skip_locked=True))
    if deal_set is None:
        return None
    deal_set.opened_at = ctx.now
    ctx.session.execute(update(Match).where(Match.set_id == deal_set.id).values(withheld=None))
    ctx.session.flush()
    return deal_set
