"""The page of a deal that several matches share, by its kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, abort

from pbem.db.models import DealSet
from pbem.states import DealSetKind
from pbem.web.common.messages import UNKNOWN_SET
from pbem.web.events import field_deals, pair_deals, weekly
from pbem.web.request.context import transaction
from pbem.web.request.read_replica import may_use_replica

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from flask.typing import ResponseReturnValue

    from pbem.play.core.context import Context

pages = Blueprint("deal_sets", __name__)

PAGES: Mapping[DealSetKind, Callable[[Context, DealSet], ResponseReturnValue]] = {
    DealSetKind.THERE_AND_BACK: pair_deals.page,
    DealSetKind.FIELD: field_deals.page,
    DealSetKind.WEEK: weekly.lead,
}
"""What renders the page of a deal of each kind that has one."""


@pages.get("/sets/<set_id>")
@may_use_replica
def deal_set(set_id: str) -> ResponseReturnValue:
    """Show a shared deal and its matches."""
    with transaction() as ctx:
        found = ctx.session.get(DealSet, set_id)
        if found is None or found.kind not in PAGES:
            abort(404, description=UNKNOWN_SET)
        return PAGES[found.kind](ctx, found)
