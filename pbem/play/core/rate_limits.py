"""Rate limits, counted in Redis, or in Postgres while Redis is not available.

A window begins with the first hit and ends a fixed number of seconds later, with all hits in it. Counting is
all or nothing: a hit that one limit refuses counts for none.
"""

from __future__ import annotations

import hashlib
import logging
import time
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from math import ceil
from typing import TYPE_CHECKING, Any

from redis import ConnectionPool
from redis.exceptions import RedisError
from sqlalchemy import case, delete, select
from sqlalchemy.dialects.postgresql import insert

from pbem.db.models import RateLimitWindow
from pbem.play.core.context import transaction

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from sqlalchemy import Engine

    from pbem.play.core.context import Context

log = logging.getLogger(__name__)

REDIS_TIMEOUT_SECONDS = 0.5
"""Timeout of Redis, in seconds."""
REDIS_RETRY_SECONDS = 5.0
"""Seconds for which Redis is not used after it did not answer."""

COUNT_SCRIPT = """
local waiting, first, sizes = {}, 1, 2 * #KEYS + 2
for group = sizes, #ARGV do
  local last = first + ARGV[group] - 1
  local free_in = 0
  for number = first, last do
    if free_in == 0 and tonumber(redis.call('GET', KEYS[number]) or '0') >= tonumber(ARGV[2 * number]) then
      free_in = math.max(redis.call('PTTL', KEYS[number]), 1)
    end
  end
  for number = first, last do
    if free_in == 0 and ARGV[1] ~= 'look' and redis.call('INCR', KEYS[number]) == 1 then
      redis.call('EXPIRE', KEYS[number], ARGV[2 * number + 1])
    end
  end
  waiting[#waiting + 1], first = free_in, last + 1
end
if ARGV[1] == 'measure' then
  for number = 1, #KEYS do
    waiting[#waiting + 1] = tonumber(redis.call('GET', KEYS[number]) or '0')
    waiting[#waiting + 1] = redis.call('PTTL', KEYS[number])
  end
end
return waiting
"""
"""Lua script for Redis: for each of several groups of keys, counts the keys once if no limit is reached.

Returns for each group the milliseconds until a hit is allowed, 0 if it was counted; with `measure` also the count and
the remaining milliseconds of each key. Arguments: the operation, each key's maximum and seconds, and the number of keys
of each group.
"""

SECONDS_PER_HOUR, SECONDS_PER_DAY = 3600, 86400


@dataclass(frozen=True, slots=True)
class Limit:
    """Limit of `maximum` hits of a subject in `seconds`; `namespace` is the name of the counter."""

    namespace: str
    subject: str
    maximum: int
    seconds: int

    @property
    def key(self) -> str:
        """Key of the counter: hashed, so that no address is stored in clear and every key has the same length."""
        return f"{self.namespace} {hashlib.sha256(self.subject.encode('utf-8', 'replace')).hexdigest()[:32]}"


@dataclass(frozen=True, slots=True)
class Usage:
    """What is left of a limit, and the seconds until its window ends."""

    limit: Limit
    remaining: int
    seconds: int


def hit(ctx: Context, *limits: Limit) -> datetime | None:
    """Count one hit under every limit; if one is reached, count nothing and return when to try again."""
    return _check(ctx, limits, "count", _hit_in_database)


def hit_and_measure(ctx: Context, *limits: Limit) -> tuple[datetime | None, list[Usage]]:
    """Count one hit as `hit` does, and return what is left of each limit too."""
    if not limits:
        return None, []
    numbers = _run_script(ctx, "measure", [limits])
    if numbers is None:
        return _hit_in_database(ctx, limits), _measure_in_database(ctx, limits)
    delay, *measured = numbers
    counted = zip(limits, measured[::2], measured[1::2], strict=True)
    return _retry_time(ctx, delay), [_usage(limit, count, rest / 1000) for limit, count, rest in counted]


def hit_each(engine: Engine, ctx: Context, groups: Sequence[Sequence[Limit]]) -> list[datetime | None]:
    """Count several hits, each under its own limits, in one call to Redis or one transaction of their own."""
    limited = [limits for limits in groups if limits]
    delays = _run_script(ctx, "count", limited) if limited else []
    if delays is None:
        with transaction(engine, ctx.config, ctx.now) as own:
            return [_hit_in_database(own, limits) if limits else None for limits in groups]
    results = iter(delays)
    return [_retry_time(ctx, next(results)) if limits else None for limits in groups]


def blocked_until(ctx: Context, *limits: Limit) -> datetime | None:
    """Return when to try again if one of some limits is reached; counts nothing."""
    return _check(ctx, limits, "look", _blocked_in_database)


def register_once(ctx: Context, namespace: str, subject: str, seconds: int) -> bool:
    """Return whether something is seen for the first time; stored with the transaction, and expires after `seconds`."""
    row = {
        "key": Limit(namespace, subject, 1, seconds).key,
        "expires_at": ctx.now + timedelta(seconds=seconds),
        "count": 1,
    }
    added = insert(RateLimitWindow).values(row).on_conflict_do_nothing().returning(RateLimitWindow.key)
    return ctx.session.scalar(added) is not None


def delete_expired(ctx: Context) -> None:
    """Delete the counters whose windows have ended."""
    ctx.session.execute(delete(RateLimitWindow).where(RateLimitWindow.expires_at <= ctx.now))


def _check(
    ctx: Context,
    limits: Sequence[Limit],
    operation: str,
    in_database: Callable[[Context, Sequence[Limit]], datetime | None],
) -> datetime | None:
    if not limits:
        return None
    delays = _run_script(ctx, operation, [limits])
    return _retry_time(ctx, delays[0]) if delays else in_database(ctx, limits)


def _run_script(ctx: Context, operation: str, groups: Sequence[Sequence[Limit]]) -> list[int] | None:
    """Run the script in Redis, or return None if Redis is not configured or does not answer."""
    return _counters(ctx.config.broker_url).run(operation, groups) if ctx.config.broker_has_counters else None


def _retry_time(ctx: Context, delay: int) -> datetime | None:
    return ctx.now + timedelta(milliseconds=delay) if delay else None


def _usage(limit: Limit, count: int, rest: float) -> Usage:
    """Return what is left of a limit; `rest` is not positive if its window has not begun."""
    return Usage(limit, max(limit.maximum - count, 0), ceil(rest) if rest > 0 else limit.seconds)


class _Counters:
    """Counters in Redis, which is left alone for a while after it did not answer."""

    def __init__(self, url: str) -> None:
        self._connections = ConnectionPool.from_url(
            url, socket_timeout=REDIS_TIMEOUT_SECONDS, socket_connect_timeout=REDIS_TIMEOUT_SECONDS
        )
        self._unavailable_until = 0.0

    def run(self, operation: str, groups: Sequence[Sequence[Limit]]) -> list[int] | None:
        """Run the script; return the milliseconds to wait for each group, or None if Redis does not answer."""
        if time.monotonic() < self._unavailable_until:
            return None
        try:
            limits = [limit for group in groups for limit in group]
            keys = [f"pbem {limit.key}" for limit in limits]
            numbers: list[Any] = [number for limit in limits for number in (limit.maximum, limit.seconds)]
            delays = self._execute("EVAL", COUNT_SCRIPT, len(keys), *keys, operation, *numbers, *map(len, groups))
            return [int(delay) for delay in delays]
        except (RedisError, OSError):
            log.warning("Redis cannot count; the database counts for a while", exc_info=True)
            self._unavailable_until = time.monotonic() + REDIS_RETRY_SECONDS
            return None

    def _execute(self, *command: Any) -> Any:
        """Execute a command on a connection, since the client's retries cost more than a command."""
        connection: Any = self._connections.get_connection()
        try:
            connection.send_command(*command)
            return connection.read_response()
        finally:
            self._connections.release(connection)


_counters = cache(_Counters)


def _blocked_in_database(ctx: Context, limits: Sequence[Limit]) -> datetime | None:
    maximum = {limit.key: limit.maximum for limit in limits}
    open_windows = RateLimitWindow.key.in_(maximum), RateLimitWindow.expires_at > ctx.now
    rows = ctx.session.scalars(select(RateLimitWindow).where(*open_windows))
    return max((row.expires_at for row in rows if row.count >= maximum[row.key]), default=None)


def _measure_in_database(ctx: Context, limits: Sequence[Limit]) -> list[Usage]:
    open_windows = RateLimitWindow.key.in_([limit.key for limit in limits]), RateLimitWindow.expires_at > ctx.now
    rows = {row.key: row for row in ctx.session.scalars(select(RateLimitWindow).where(*open_windows))}
    measured = [(limit, rows.get(limit.key)) for limit in limits]
    return [
        _usage(limit, row.count, (row.expires_at - ctx.now).total_seconds()) if row else _usage(limit, 0, 0)
        for limit, row in measured
    ]


def _hit_in_database(ctx: Context, limits: Sequence[Limit]) -> datetime | None:
    rows = [
        {"key": limit.key, "expires_at": ctx.now + timedelta(seconds=limit.seconds), "count": 1}
        # Always in the same order, so that concurrent transactions cannot deadlock.
        for limit in sorted(limits, key=lambda limit: limit.key)
    ]
    added = insert(RateLimitWindow).values(rows)
    ended = RateLimitWindow.expires_at <= ctx.now
    counted = added.on_conflict_do_update(
        index_elements=["key"],
        set_={
            "count": case((ended, 1), else_=RateLimitWindow.count + 1),
            "expires_at": case((ended, added.excluded.expires_at), else_=RateLimitWindow.expires_at),
        },
    ).returning(RateLimitWindow.key, RateLimitWindow.count, RateLimitWindow.expires_at)
    maximum = {limit.key: limit.maximum for limit in limits}
    attempt = ctx.session.begin_nested()
    until = max((until for key, count, until in ctx.session.execute(counted) if count > maximum[key]), default=None)
    if until is None:
        attempt.commit()
    else:
        attempt.rollback()
    return until
