"""Public status of the service, without anything about matches."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.db import disk_check
from pbem.db.models import ClockPause, Heartbeat
from pbem.play.clocks import clock_pauses
from pbem.play.upkeep import gauges
from pbem.play.upkeep import outages as upkeep_outages

if TYPE_CHECKING:
    from pbem.play.core.context import Context

LATE_AFTER = {"moves": timedelta(minutes=1), "mails": timedelta(minutes=10)}
"""Age from which the items of a queue are late."""
OUTAGE_HISTORY = timedelta(days=90)
"""Time for which past outages are listed."""
MAX_OUTAGES = 20


@dataclass(frozen=True, slots=True)
class Outage:
    """An outage, during which all clocks stood still."""

    begin: datetime
    end: datetime


@dataclass(frozen=True, slots=True)
class ServiceStatus:
    """Status of the service: whether it accepts moves, how late queues are, whether clocks run, and past outages."""

    taking: bool
    moves_late: timedelta | None
    mails_late: timedelta | None
    clocks_run: bool
    refusing: int
    outages: tuple[Outage, ...]

    @property
    def is_healthy(self) -> bool:
        """True if everything works normally."""
        late = self.moves_late or self.mails_late
        return self.taking and late is None and self.clocks_run and not self.refusing


def current(ctx: Context) -> ServiceStatus:
    """Return the present status."""
    queues, heartbeats = gauges.queues(ctx), gauges.heartbeat_ages(ctx)
    oldest = {name: timedelta(seconds=queues[name].oldest) for name in LATE_AFTER}
    late = {name: oldest[name] if oldest[name] > LATE_AFTER[name] else None for name in LATE_AFTER}
    clock = timedelta(seconds=heartbeats.get(upkeep_outages.CLOCK_HEARTBEAT, 0.0))
    held = ctx.session.get(Heartbeat, upkeep_outages.HELD_HEARTBEAT) is not None
    return ServiceStatus(
        taking=not (held or disk_check.is_full(ctx.config)),
        moves_late=late["moves"],
        mails_late=late["mails"],
        clocks_run=clock <= upkeep_outages.OUTAGE_AFTER and not held,
        refusing=gauges.count_throttled_domains(ctx),
        outages=_recent_outages(ctx),
    )


def _recent_outages(ctx: Context) -> tuple[Outage, ...]:
    recent = ClockPause.started_at > ctx.now - OUTAGE_HISTORY, ClockPause.ended_at.is_not(None)
    wanted = select(ClockPause.started_at, ClockPause.ended_at).where(*clock_pauses.IS_OUTAGE, *recent)
    rows = ctx.session.execute(wanted.order_by(ClockPause.started_at.desc()).limit(MAX_OUTAGES))
    return tuple(Outage(begin, end) for begin, end in rows if end is not None)
