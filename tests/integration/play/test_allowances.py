"""Limits: counted in a real Redis, and in the database where there is none."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from redis import Redis
from sqlalchemy import func, select

from pbem.db.models import Allowance
from pbem.play import sweeping
from pbem.play.allowances import Allowed, first_time, spend
from tests.support.play.allowances import counting, spent

if TYPE_CHECKING:
    from tests.support.house import House

__all__ = ["counting"]


def rows(house: House) -> int:
    return int(house.all(select(func.count()).select_from(Allowance))[0])


def test_redis_counts_where_it_is_there_and_the_database_where_it_is_not(counting: House) -> None:
    assert spent(counting, Allowed("from", "ann", 1, 60)) is None
    assert rows(counting) == 0
    with Redis.from_url(counting.config.broker_url) as redis:
        (key,) = redis.keys("pbem from *")
        assert b"ann" not in bytes(key)
        assert 0 < int(redis.ttl(key)) <= 60
    gone = replace(counting, config=replace(counting.config, redis_url="redis://127.0.0.1:1/0"))
    assert spent(gone, Allowed("from", "ann", 1, 60)) is None
    assert spent(gone, Allowed("from", "ann", 1, 60))
    assert rows(gone) == 1


def test_what_is_undone_was_not_counted_by_the_database(house: House) -> None:
    once = Allowed("from", "ann", 1, 60)
    with house.table() as table:
        assert spend(table, once) is None
        table.session.rollback()
    assert spent(house, once) is None


def test_the_first_time_is_the_first_until_it_is_swept(house: House) -> None:
    with house.table() as table:
        assert first_time(table, "proof", "x", 60)
        assert first_time(table, "proof", "y", 60)
        assert not first_time(table, "proof", "x", 60)
        later = table.now + timedelta(seconds=61)
    with house.table(later) as table:
        sweeping.sweep(table)
        assert first_time(table, "proof", "x", 60)
    assert rows(house) == 1
