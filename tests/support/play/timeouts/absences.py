"""What tests of absences share."""

from __future__ import annotations

from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.db.models import ClockPause, Player
from pbem.play.players import registry
from pbem.play.timeouts import absences
from tests.support.clockwork import at
from tests.support.house import address

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.play.core.context import Context
    from tests.support.house import House
NOW = datetime(2026, 11, 24, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
YEAR = absences.MAX_DAYS_PER_YEAR


@pytest.fixture(autouse=True)
def in_november() -> Iterator[None]:
    """Set the clock to November: days of absence are of their year."""
    with at(NOW):
        yield


@contextmanager
def known(house: House, now: datetime = NOW, name: str = "Ann", **chosen: object) -> Iterator[tuple[Context, Player]]:
    """Open a table at a moment, and give somebody who may have chosen something."""
    with house.transaction(now) as ctx:
        player = registry.get_or_create(ctx, {address(name): name})[address(name)]
        for field, value in chosen.items():
            setattr(player, field, value)
        yield ctx, player


def spans(house: House) -> list[tuple[datetime, datetime]]:
    return [
        (row[0], row[1])
        for row in house.rows(select(ClockPause.started_at, ClockPause.ended_at).order_by("started_at"))
    ]
