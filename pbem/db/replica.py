"""Reads pages from a replica of the database while it is fresh enough."""

from __future__ import annotations

import logging
import threading
import time
from typing import TYPE_CHECKING, TypeVar

from sqlalchemy import Engine, text
from sqlalchemy.exc import DBAPIError

from pbem.db.session import connect
from pbem.db.sqlstates import sqlstate
from pbem.telemetry import metrics

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.config import Config

log = logging.getLogger(__name__)

MAX_STALENESS_SECONDS = 2.0
"""Maximum age, in seconds, of data read from the replica."""
CHECK_INTERVAL_SECONDS = 0.5
"""Seconds between two checks of the replica's position."""
BACKOFF_SECONDS = 5.0
"""Seconds for which an unreachable replica is not used."""
CONNECT_TIMEOUT_SECONDS = 2
"""Seconds to wait for a connection to the replica."""
MAX_POSITIONS = 64
"""Maximum number of remembered positions of the primary."""

_CURRENT_LSN = text("SELECT pg_current_wal_lsn()::text")
_REPLAYED_LSN = text("SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn()::text END")
_HARMLESS_SQLSTATES = ("40001", "40P01", "25006")
"""SQLSTATEs of a healthy replica: a recovery conflict, a deadlock, or an attempt to write."""

Found = TypeVar("Found")


class Replica:
    """Reads from a replica of the database if it is fresh, and otherwise from the primary.

    The age is measured without comparing clocks: the primary's write position is recorded periodically, and the replica
    is as old as the newest recorded position that it has reached. This also holds while nothing is written. (Commits
    without fsync are written some tenths of a second later; no page depends on that.)
    """

    def __init__(self, primary: Engine, replica: Engine) -> None:
        self._primary, self._replica = primary, replica
        self._checking = threading.Lock()
        self._positions: list[tuple[float, int]] = []
        self._checked_at = self._unused_until = self._as_of = float("-inf")

    def read(self, query: Callable[[Engine], Found], has: Callable[[Engine], bool] | None = None) -> Found:
        """Call `query` with the replica's engine, or with the primary's if the replica is not fresh.

        `has` returns whether the replica has what `query` reads; if not, the primary is read. Only if the replica fails
        during the call is `query` called again, so that its side effects may happen twice.
        """
        if not self.is_fresh():
            metrics.count(metrics.REPLICA_READS, "behind")
            return query(self._primary)
        try:
            if has is None or has(self._replica):
                found = query(self._replica)
                metrics.count(metrics.REPLICA_READS, "read")
                return found
        except DBAPIError as error:
            self._record_failure(error)
        else:
            metrics.count(metrics.REPLICA_READS, "not there")
        return query(self._primary)

    def is_fresh(self) -> bool:
        """Return whether the replica may be read now."""
        # Do not wait for another thread's check: the previous result is good enough.
        if time.monotonic() - self._checked_at >= CHECK_INTERVAL_SECONDS and self._checking.acquire(blocking=False):
            try:
                self._check()
            finally:
                self._checking.release()
        return time.monotonic() < self._as_of + MAX_STALENESS_SECONDS

    def close(self) -> None:
        """Close the connections to the replica."""
        self._replica.dispose()

    def _check(self) -> None:
        now = time.monotonic()
        if now < self._unused_until:
            return
        with self._primary.connect() as connection:
            written = parse_lsn(connection.execute(_CURRENT_LSN).scalar_one())
        self._positions = [*self._positions[-MAX_POSITIONS:], (now, written)]
        try:
            with self._replica.connect() as connection:
                replayed = connection.execute(_REPLAYED_LSN).scalar_one()
        except DBAPIError as error:
            self._record_failure(error)
            return
        self._checked_at = now
        if replayed is None:
            self._stop_using("it is not in recovery")
            return
        reached = [at for at, position in self._positions if position <= parse_lsn(replayed)]
        self._as_of = max(reached, default=self._as_of)

    def _record_failure(self, error: DBAPIError) -> None:
        metrics.count(metrics.REPLICA_READS, "failed")
        if sqlstate(error) not in _HARMLESS_SQLSTATES:
            self._stop_using(type(error.orig).__name__)

    def _stop_using(self, why: str) -> None:
        self._unused_until = time.monotonic() + BACKOFF_SECONDS
        self._as_of = float("-inf")
        log.warning("the replica is not read for a while: %s", why)


def parse_lsn(lsn: str) -> int:
    """Parse a PostgreSQL log sequence number such as `1/8D000028`."""
    high, _, low = lsn.partition("/")
    return int(high, 16) << 32 | int(low, 16)


def open_replica(config: Config, primary: Engine, pool_size: int = 8) -> Replica | None:
    """Return the configured replica, if any."""
    if config.replica_url is None:
        return None
    return Replica(primary, connect(config.replica_url, pool_size, CONNECT_TIMEOUT_SECONDS))
