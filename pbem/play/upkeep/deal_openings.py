"""Opening of shared deals that are due, with the mails about them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.play.deal_sets import opening, pair_mails
from pbem.play.events import field_end
from pbem.play.weekly import announcements
from pbem.states import DealSetKind

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pbem.db.models import DealSet
    from pbem.play.core.context import Context

ANNOUNCEMENTS: Mapping[DealSetKind, Callable[[Context, DealSet], None]] = {
    DealSetKind.THERE_AND_BACK: pair_mails.announce,
    DealSetKind.FIELD: field_end.announce,
    DealSetKind.WEEK: announcements.enqueue_results,
}
"""What enqueues the mails about an opened deal, by its kind."""


def open_due(ctx: Context) -> bool:
    """Open one shared deal that is due, and enqueue the mails about it; return whether there may be more."""
    deal_set = opening.open_next(ctx)
    if deal_set is None:
        return False
    if announce := ANNOUNCEMENTS.get(deal_set.kind):
        announce(ctx, deal_set)
    return True
