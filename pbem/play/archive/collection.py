"""The records of all public matches that are over, for whoever wants to have them all; practice is left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import func, select, tuple_
from sqlalchemy.orm import selectinload

from pbem.db.models import Match
from pbem.play.archive.records import record_of

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.games.record import Record
    from pbem.play.core.context import Table

    Place = tuple[datetime, str]
    """When a match ended, and its id: all matches stand in this order, so that new ones come last."""

_COLLECTED = (Match.state == "over", Match.public, Match.seed.is_not(None), Match.forked_from.is_(None))


def count(table: Table) -> int:
    """Count the records that are collected."""
    return table.session.scalar(select(func.count()).select_from(Match).where(*_COLLECTED)) or 0


def batch(table: Table, after: Place | None, most: int) -> list[tuple[Place, Record]]:
    """Give the first records behind a place, each with its own."""
    wanted = select(Match).options(selectinload(Match.seats)).where(*_COLLECTED)
    if after is not None:
        wanted = wanted.where(tuple_(Match.ended_at, Match.id) > after)
    found = table.session.scalars(wanted.order_by(Match.ended_at, Match.id).limit(most)).all()
    return [((match.ended_at, match.id), record_of(table, match)) for match in found if match.ended_at]
