"""Search of abuse reports: what players reported to the operators about others in their matches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select
from sqlalchemy.orm import aliased

from pbem.db.models import AbuseReport, SeatHolder
from pbem.play.operators.search.pagination import Cursor, Order, Page, load_page

if TYPE_CHECKING:
    from pbem.play.core.context import Context

ReportRow = tuple[AbuseReport, SeatHolder, SeatHolder]
"""A report, its author's seat, and the seat that it is about."""


def reports(ctx: Context, player: int | None = None, after: Cursor | None = None) -> Page[ReportRow]:
    """List abuse reports, newest first: all, or those about one player."""
    by, about = aliased(SeatHolder), aliased(SeatHolder)
    wanted = (
        select(AbuseReport, by, about)
        .join(by, by.id == AbuseReport.reporter_id)
        .join(about, about.id == AbuseReport.reported_holder_id)
    )
    if player is not None:
        wanted = wanted.where(about.player_id == player)
    return load_page(
        ctx, wanted, Order(AbuseReport.reported_at, AbuseReport.id, numbered=True), after, lambda *row: row
    )
