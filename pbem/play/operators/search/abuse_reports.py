"""Finding reports: what players told the operators of others at their table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select
from sqlalchemy.orm import aliased

from pbem.db.models import Holder, Report
from pbem.play.operators.search.pagination import Order, Place, Rows, page

if TYPE_CHECKING:
    from pbem.play.core.context import Context

Reported = tuple[Report, Holder, Holder]
"""A report, who made it, and of whom."""


def reports(ctx: Context, player: int | None = None, after: Place | None = None) -> Rows[Reported]:
    """List what players reported of others at their table, the latest first: all, or of somebody."""
    by, about = aliased(Holder), aliased(Holder)
    wanted = select(Report, by, about).join(by, by.id == Report.holder_id).join(about, about.id == Report.about_id)
    if player is not None:
        wanted = wanted.where(about.player_id == player)
    return page(ctx, wanted, Order(Report.at, Report.id, numbered=True), after, lambda *row: row)
