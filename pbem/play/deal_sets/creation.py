"""Creation of deals that several matches share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.db.models import DealSet
from pbem.games.chain import commit
from pbem.play.core.draws import draw_id, draw_secret

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from pbem.play.core.context import Context
    from pbem.states import DealSetKind


def create_set(
    ctx: Context,
    kind: DealSetKind,
    game: str,
    options: Mapping[str, object],
    *,
    event_id: int | None = None,
    week: int | None = None,
    starts_at: datetime | None = None,
    closes_at: datetime | None = None,
) -> DealSet:
    """Insert a shared deal with its secret and commitment drawn; its matches are added by the caller.

    The caller must have settled the options.
    """
    secret = draw_secret(ctx)
    deal_set = DealSet(
        id=draw_id(ctx),
        kind=kind,
        event_id=event_id,
        week=week,
        game=game,
        options=dict(options),
        secret=secret,
        commitment=commit(secret),
        created_at=ctx.now,
        starts_at=starts_at,
        closes_at=closes_at,
    )
    ctx.session.add(deal_set)
    ctx.session.flush()
    return deal_set
