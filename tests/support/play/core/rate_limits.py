"""What tests of allowances share."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from redis import Redis

from pbem.play.core.rate_limits import Limit, hit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from tests.support.house import House


@pytest.fixture
def counting(house: House, valkey: str) -> Iterator[House]:
    """A house whose broker is there."""
    house = replace(house, config=replace(house.config, redis_url=valkey))
    yield house
    with Redis.from_url(house.config.broker_url) as redis:
        redis.flushdb()


def spent(house: House, *allowed: Limit) -> datetime | None:
    with house.transaction() as ctx:
        return hit(ctx, *allowed)
