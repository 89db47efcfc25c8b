"""The matches of a shared deal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select
from sqlalchemy.orm import selectinload

from pbem.db.models import Match

if TYPE_CHECKING:
    from pbem.db.models import DealSet
    from pbem.play.core.context import Context


def members(ctx: Context, deal_set: DealSet) -> list[Match]:
    """List the matches of a shared deal by place, with their seats."""
    of_set = select(Match).where(Match.set_id == deal_set.id).options(selectinload(Match.seats))
    return [*ctx.session.scalars(of_set.order_by(Match.set_place, Match.id))]
