"""Limits: counted in a real Redis, and in the database where there is none."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from redis import Redis
from sqlalchemy import func, select

from pbem.db.models import RateLimitWindow
from pbem.play.core.rate_limits import Limit, _counters, hit, hit_and_measure, hit_each, register_once
from pbem.play.upkeep import sweeper
from tests.support.play.core.rate_limits import counting, spent

if TYPE_CHECKING:
    from tests.support.house import House

__all__ = ["counting"]


def rows(house: House) -> int:
    return int(house.all(select(func.count()).select_from(RateLimitWindow))[0])


def test_redis_counts_where_it_is_there_and_the_database_where_it_is_not(counting: House) -> None:
    assert spent(counting, Limit("from", "ann", 1, 60)) is None
    assert rows(counting) == 0
    with Redis.from_url(counting.config.broker_url) as redis:
        (key,) = redis.keys("pbem from *")
        assert b"ann" not in bytes(key)
        assert 0 < int(redis.ttl(key)) <= 60
    gone = replace(counting, config=replace(counting.config, redis_url="redis://127.0.0.1:1/0"))
    assert spent(gone, Limit("from", "ann", 1, 60)) is None
    assert spent(gone, Limit("from", "ann", 1, 60))
    assert rows(gone) == 1


def test_redis_goes_on_counting_after_it_has_cut_a_connection(counting: House) -> None:
    twice = Limit("from", "ann", 2, 60)
    assert spent(counting, twice) is None
    with Redis.from_url(counting.config.broker_url) as redis:
        redis.client_kill_filter(_type="normal", skipme=True)
    assert spent(counting, twice) is None
    assert spent(counting, twice)
    assert rows(counting) == 0


def test_what_is_undone_was_not_counted_by_the_database(house: House) -> None:
    once = Limit("from", "ann", 1, 60)
    with house.transaction() as ctx:
        assert hit(ctx, once) is None
        ctx.session.rollback()
    assert spent(house, once) is None


def test_the_first_time_is_the_first_until_it_is_swept(house: House) -> None:
    with house.transaction() as ctx:
        assert register_once(ctx, "proof", "x", 60)
        assert register_once(ctx, "proof", "y", 60)
        assert not register_once(ctx, "proof", "x", 60)
        later = ctx.now + timedelta(seconds=61)
    with house.transaction(later) as ctx:
        sweeper.sweep(ctx)
        assert register_once(ctx, "proof", "x", 60)
    assert rows(house) == 1


@pytest.fixture
def handing_on(house: House) -> House:
    """A house whose broker cannot count."""
    return replace(house, config=replace(house.config, redis_url="amqp://127.0.0.1:1//"))


@pytest.fixture(params=["with Redis", "with RabbitMQ", "without"])
def either(request: pytest.FixtureRequest) -> House:
    _counters.cache_clear()
    fixtures = {"with Redis": "counting", "with RabbitMQ": "handing_on", "without": "house"}
    found: House = request.getfixturevalue(fixtures[request.param])
    return found


def test_so_many_and_no_more_and_each_by_itself(either: House) -> None:
    ann, bob = (Limit("from", name, 3, 60) for name in ("ann", "bob"))
    assert [spent(either, ann) is None for _ in range(5)] == [True, True, True, False, False]
    assert spent(either, bob) is None
    assert spent(either, replace(ann, namespace="other")) is None
    assert spent(either) is None


def test_whoever_is_refused_hears_until_when(either: House) -> None:
    once = Limit("from", "ann", 1, 3600)
    assert spent(either, once) is None
    with either.transaction() as ctx:
        until = hit(ctx, once)
        assert until is not None
        assert timedelta(minutes=59) < until - ctx.now <= timedelta(hours=1)


def test_what_one_limit_refuses_counts_for_none(either: House) -> None:
    narrow, wide = Limit("token", "x", 1, 60), Limit("from", "ann", 2, 60)
    assert spent(either, wide, narrow) is None
    for _ in range(5):
        assert spent(either, wide, narrow)
        assert spent(either, narrow, wide)
    assert spent(either, wide) is None
    assert spent(either, wide)


def test_several_things_are_counted_one_after_another(either: House) -> None:
    narrow, wide, other = Limit("token", "x", 1, 60), Limit("from", "ann", 3, 60), Limit("from", "bob", 1, 60)
    with either.transaction() as ctx:
        found = hit_each(
            either.engine, ctx, [(wide, narrow), (), (wide, narrow), (wide,), (other,), (other, wide), (wide,)]
        )
    assert [until is None for until in found] == [True, True, False, True, True, False, True]
    assert spent(either, wide)


def test_a_window_ends(either: House) -> None:
    short = Limit("from", "ann", 1, 1)
    assert spent(either, short) is None
    while spent(either, short) is not None:
        """Wait for the next window."""
    while spent(either, short) is None:
        """Each window counts anew, also where this machine sleeps through some."""


def test_any_text_may_be_counted(either: House) -> None:
    assert spent(either, Limit("from", "\udcff\0é" * 1000, 1, 60)) is None


def test_what_is_left_is_measured_with_each_hit(either: House) -> None:
    narrow, wide = Limit("token", "x", 2, 60), Limit("from", "ann", 3, 3600)
    for left in ([1, 2], [0, 1], [0, 1]):
        with either.transaction() as ctx:
            _until, measured = hit_and_measure(ctx, narrow, wide)
        assert [one.limit for one in measured] == [narrow, wide]
        assert [one.remaining for one in measured] == left
        assert all(0 < one.seconds <= one.limit.seconds for one in measured)
    with either.transaction() as ctx:
        assert hit_and_measure(ctx) == (None, [])


def test_a_limit_that_another_one_kept_from_being_counted_is_whole(either: House) -> None:
    once, wide = Limit("token", "x", 1, 60), Limit("from", "ann", 3, 3600)
    assert spent(either, once) is None
    with either.transaction() as ctx:
        until, measured = hit_and_measure(ctx, once, wide)
    assert until is not None
    assert [(one.remaining, one.seconds) for one in measured[1:]] == [(3, 3600)]
