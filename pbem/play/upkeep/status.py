"""Public status of the service, without anything about matches."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.db import disk_space
from pbem.db.models import Pulse, Standstill
from pbem.play.upkeep import gauges
from pbem.play.upkeep import outages as upkeep_outages
from pbem.states import PauseReason

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.play.core.context import Context

LATE = {"moves": timedelta(minutes=1), "mails": timedelta(minutes=10)}
"""Age from which the items of a queue are late."""
REMEMBERED = timedelta(days=90)
"""Time for which past outages are listed."""
AT_MOST = 20


@dataclass(frozen=True, slots=True)
class Outage:
    """An outage, during which all clocks stood still."""

    begin: datetime
    end: datetime


@dataclass(frozen=True, slots=True)
class Signs:
    """Status of the service: whether it accepts moves, how late queues are, whether clocks run, and past outages."""

    taking: bool
    moves_late: timedelta | None
    mails_late: timedelta | None
    clocks_run: bool
    refusing: int
    outages: tuple[Outage, ...]

    @property
    def well(self) -> bool:
        """Whether everything works normally."""
        late = self.moves_late or self.mails_late
        return self.taking and late is None and self.clocks_run and not self.refusing


def read(ctx: Context) -> Signs:
    """Return the present status."""
    queues, pulses = gauges.queues(ctx), gauges.pulses(ctx)
    oldest = {name: timedelta(seconds=queues[name].oldest) for name in LATE}
    late = {name: oldest[name] if oldest[name] > LATE[name] else None for name in LATE}
    clock = timedelta(seconds=pulses.get(upkeep_outages.PART, 0.0))
    held = ctx.session.get(Pulse, upkeep_outages.HELD) is not None
    return Signs(
        taking=not (held or disk_space.is_full(ctx.config)),
        moves_late=late["moves"],
        mails_late=late["mails"],
        clocks_run=clock <= upkeep_outages.SLEPT and not held,
        refusing=gauges.refusing(ctx),
        outages=_outages(ctx),
    )


def _outages(ctx: Context) -> tuple[Outage, ...]:
    everybody = Standstill.match_id.is_(None), Standstill.player_id.is_(None), Standstill.domain.is_(None)
    known = Standstill.why == PauseReason.OUTAGE.value, Standstill.begin_at > ctx.now - REMEMBERED
    found = select(Standstill.begin_at, Standstill.end_at).where(*everybody, *known, Standstill.end_at.is_not(None))
    rows = ctx.session.execute(found.order_by(Standstill.begin_at.desc()).limit(AT_MOST))
    return tuple(Outage(begin, end) for begin, end in rows if end is not None)
