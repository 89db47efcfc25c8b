"""The page of a field's deal: who sits where until it is open, then the comparison seat by seat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import render_template

from pbem.play.events import field_sets, field_words, titles
from pbem.web.request import current_user

if TYPE_CHECKING:
    from pbem.db.models import DealSet
    from pbem.play.core.context import Context


def page(ctx: Context, deal_set: DealSet) -> str:
    """Render a deal of a field."""
    event, deal = field_sets.load_deal(ctx, deal_set)
    seats = max((len(table.seats) for table in deal.tables), default=0)
    return render_template(
        "events/field_deal.html",
        event=event,
        title=titles.event_title(event),
        deal=deal,
        seats=[_column(deal, seat) for seat in range(seats)],
        words=field_words,
        own=current_user.player_id(),
    )


def _column(deal: field_sets.FieldDeal, seat: int) -> list[tuple[field_sets.FieldTable, field_sets.SeatAtTable]]:
    """Return a seat at all tables, the best score first; tables without one come last."""
    rows = [(table, table.seats[seat]) for table in deal.tables]
    return sorted(rows, key=lambda row: (row[1].score is None, -row[1].score.score if row[1].score else 0))
