"""How often something may happen in a window of time: counted in Redis, and in Postgres while there is none.

A window begins with the first time that something is counted and ends some seconds later, with all that
was counted in it. Counting is all or nothing: what one limit refuses counts for none.
"""

from __future__ import annotations

import hashlib
import logging
import time
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from typing import TYPE_CHECKING, Any

from redis import Redis
from redis.exceptions import RedisError
from sqlalchemy import case, delete, select
from sqlalchemy.dialects.postgresql import insert

from pbem.db.models import Allowance

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from pbem.play.core.context import Context

log = logging.getLogger(__name__)

PATIENCE = 0.5
"""Seconds that Redis may take to count."""
PAUSE = 5.0
"""Seconds in which Redis is not asked again after it did not answer."""

COUNT = """
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
    if free_in == 0 and ARGV[1] == 'count' and redis.call('INCR', KEYS[number]) == 1 then
      redis.call('EXPIRE', KEYS[number], ARGV[2 * number + 1])
    end
  end
  waiting[#waiting + 1], first = free_in, last + 1
end
return waiting
"""
"""Runs inside Redis, for several things one after another: counts a thing's keys once if none is used up.

Gives for each the milliseconds until one is free, 0 where it was counted. After what is to be done come each key's
most and seconds, and how many keys each thing has.
"""

HOUR, DAY = 3600, 86400


@dataclass(frozen=True, slots=True)
class Allowed:
    """So many times for somebody or something in so many seconds; `what` keeps the countings apart."""

    what: str
    who: str
    most: int
    seconds: int

    @property
    def key(self) -> str:
        """What is counted under: no address is kept in clear, and any text is a key of the same length."""
        return f"{self.what} {hashlib.sha256(self.who.encode('utf-8', 'replace')).hexdigest()[:32]}"


def spend(ctx: Context, *allowed: Allowed) -> datetime | None:
    """Count something once under every limit; or give when to try again, counting nothing, if one is used up."""
    return _asked(ctx, allowed, "count", _counted_here)


def spend_each(ctx: Context, several: Sequence[Sequence[Allowed]]) -> list[datetime | None]:
    """Count several things as `spend` counts one, in one go to Redis."""
    wanted = [allowed for allowed in several if allowed]
    waiting = _ask(ctx, "count", wanted) if wanted else []
    if waiting is None:
        return [_counted_here(ctx, allowed) if allowed else None for allowed in several]
    answers = iter(waiting)
    return [_until(ctx, next(answers)) if allowed else None for allowed in several]


def used_up(ctx: Context, *allowed: Allowed) -> datetime | None:
    """Give when to try again if one of some limits is used up; counts nothing."""
    return _asked(ctx, allowed, "look", _seen_here)


def first_time(ctx: Context, what: str, who: str, seconds: int) -> bool:
    """Tell whether something is seen for the first time; kept with the transaction, and forgotten after a while."""
    row = {"key": Allowed(what, who, 1, seconds).key, "until": ctx.now + timedelta(seconds=seconds), "count": 1}
    seen = insert(Allowance).values(row).on_conflict_do_nothing().returning(Allowance.key)
    return ctx.session.scalar(seen) is not None


def forget(ctx: Context) -> None:
    """Delete the countings whose windows have ended."""
    ctx.session.execute(delete(Allowance).where(Allowance.until <= ctx.now))


def _asked(
    ctx: Context,
    allowed: Sequence[Allowed],
    what: str,
    otherwise: Callable[[Context, Sequence[Allowed]], datetime | None],
) -> datetime | None:
    if not allowed:
        return None
    waiting = _ask(ctx, what, [allowed])
    return _until(ctx, waiting[0]) if waiting else otherwise(ctx, allowed)


def _ask(ctx: Context, what: str, several: Sequence[Sequence[Allowed]]) -> list[int] | None:
    """Ask Redis about each of several, where there is one and it can tell."""
    return _counters(ctx.config.broker_url).ask_each(what, several) if ctx.config.broker_counts else None


def _until(ctx: Context, waiting: int) -> datetime | None:
    return ctx.now + timedelta(milliseconds=waiting) if waiting else None


class _Counters:
    """Redis, left alone for a while after it did not answer."""

    def __init__(self, url: str) -> None:
        self._redis = Redis.from_url(url, socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE)
        self._away_until = 0.0

    def ask_each(self, what: str, several: Sequence[Sequence[Allowed]]) -> list[int] | None:
        """Count or look; gives the milliseconds to wait for each of several, None where Redis cannot tell."""
        if time.monotonic() < self._away_until:
            return None
        try:
            every = [each for allowed in several for each in allowed]
            keys = [f"pbem {each.key}" for each in every]
            numbers: list[Any] = [number for each in every for number in (each.most, each.seconds)]
            # To send the script each time is less than to ask each time whether Redis has it already.
            found: Any = self._redis.eval(COUNT, len(keys), *keys, what, *numbers, *map(len, several))
            return [int(waiting) for waiting in found]
        except (RedisError, OSError):
            log.warning("the broker cannot count; the database does for a while", exc_info=True)
            self._away_until = time.monotonic() + PAUSE
            return None


_counters = cache(_Counters)


def _seen_here(ctx: Context, allowed: Sequence[Allowed]) -> datetime | None:
    most = {each.key: each.most for each in allowed}
    known = select(Allowance).where(Allowance.key.in_(most), Allowance.until > ctx.now)
    full = (row.until for row in ctx.session.scalars(known) if row.count >= most[row.key])
    return max(full, default=None)


def _counted_here(ctx: Context, allowed: Sequence[Allowed]) -> datetime | None:
    rows = [
        {"key": each.key, "until": ctx.now + timedelta(seconds=each.seconds), "count": 1}
        # Always in the same order, so that two who count at once wait for each other and never both.
        for each in sorted(allowed, key=lambda each: each.key)
    ]
    written = insert(Allowance).values(rows)
    ended = Allowance.until <= ctx.now
    counted = written.on_conflict_do_update(
        index_elements=["key"],
        set_={
            "count": case((ended, 1), else_=Allowance.count + 1),
            "until": case((ended, written.excluded.until), else_=Allowance.until),
        },
    ).returning(Allowance.key, Allowance.count, Allowance.until)
    most = {each.key: each.most for each in allowed}
    attempt = ctx.session.begin_nested()
    until = max((until for key, count, until in ctx.session.execute(counted) if count > most[key]), default=None)
    if until is None:
        attempt.commit()
    else:
        attempt.rollback()
    return until
