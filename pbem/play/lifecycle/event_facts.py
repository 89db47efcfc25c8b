"""The event that a match is part of, as a fact for its mails."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from pbem.db.models import Event, EventMatch

if TYPE_CHECKING:
    from pbem.db.models import Match
    from pbem.play.core.context import Context


def load(ctx: Context, match: Match) -> dict[str, Any]:
    """Return the kind, game, season, group and number of a match's event; only such a match costs a statement."""
    if match.event_id is None:
        return {}
    place = select(Event.kind, Event.game, Event.season, EventMatch.grp, Event.id).select_from(Event)
    place = place.outerjoin(EventMatch, EventMatch.match_id == match.id).where(Event.id == match.event_id)
    return {"event": [*ctx.session.execute(place).one()]}
