"""Standstills: the stretches of time in which clocks stand still, kept as rows, and those that mail failures make."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import and_, or_, select

from pbem.db.models import Standstill
from pbem.play import deliveries
from pbem.play.clock import Span, Stop

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.db.models import Holder, Match
    from pbem.play.table import Table

UNREACHABLE_AT_MOST = timedelta(days=7)
"""Whom mail does not reach loses no time for so long; then the others need not wait for them any more."""


def spans(table: Table, match: Match, holder: Holder, since: datetime) -> tuple[Span, ...]:
    """List the stretches since a moment in which a seat's clock stands still, as they are known now."""
    mine = or_(
        Standstill.match_id == match.id,
        Standstill.player_id == holder.player_id,
        Standstill.domain == _domain_of(holder.email),
        and_(Standstill.match_id.is_(None), Standstill.player_id.is_(None), Standstill.domain.is_(None)),
    )
    lasting = or_(Standstill.end_at.is_(None), Standstill.end_at > since)
    rows = table.session.scalars(select(Standstill).where(mine, lasting).order_by(Standstill.begin_at, Standstill.id))
    known = [Span(row.begin_at, row.end_at, Stop(row.why)) for row in rows]
    failing = deliveries.unreachable(table, match).get(holder.seat)
    if failing:
        known.append(Span(failing, failing + UNREACHABLE_AT_MOST, Stop.UNREACHABLE))
    return tuple(known)


def reached(table: Table, since: datetime, *, player_id: int | None = None, domain: str | None = None) -> None:
    """Keep, now that mail arrives again, that it did not since a moment: of a player, or of a whole domain."""
    end = min(table.now, since + UNREACHABLE_AT_MOST)
    table.session.add(
        Standstill(why=Stop.UNREACHABLE.value, player_id=player_id, domain=domain, begin_at=since, end_at=end)
    )


def _domain_of(email: str) -> str:
    # An empty domain is nobody's: no row has it.
    return email.rpartition("@")[2].lower()
