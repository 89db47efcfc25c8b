"""Reads pages from a replica of the database while it is fresh enough."""

from __future__ import annotations

import logging
import threading
import time
from typing import TYPE_CHECKING, TypeVar

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from pbem.db.session import connect
from pbem.telemetry import metrics

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Engine

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

    def __init__(self, original: Engine, copy: Engine) -> None:
        self._original, self._copy = original, copy
        self._asking = threading.Lock()
        self._marks: list[tuple[float, int]] = []
        self._asked_at = self._away_until = self._as_of = float("-inf")

    def read(self, look: Callable[[Engine], Found], has: Callable[[Engine], bool] | None = None) -> Found:
        """Call `look` with the replica's engine, or with the primary's if the replica is not fresh.

        `has` returns whether the replica has what `look` reads; if not, the primary is read. Only if the replica fails
        during the call is `look` called again, so that its side effects may happen twice.
        """
        if not self.is_fresh():
            metrics.count(metrics.REPLICA_READS, "behind")
            return look(self._original)
        try:
            if has is None or has(self._copy):
                found = look(self._copy)
                metrics.count(metrics.REPLICA_READS, "read")
                return found
        except DBAPIError as fault:
            self._failed(fault)
        else:
            metrics.count(metrics.REPLICA_READS, "not there")
        return look(self._original)

    def is_fresh(self) -> bool:
        """Return whether the replica may be read now."""
        # Do not wait for another thread's check: the previous result is good enough.
        if time.monotonic() - self._asked_at >= CHECK_INTERVAL_SECONDS and self._asking.acquire(blocking=False):
            try:
                self._ask()
            finally:
                self._asking.release()
        return time.monotonic() < self._as_of + MAX_STALENESS_SECONDS

    def close(self) -> None:
        """Close the connections to the replica."""
        self._copy.dispose()

    def _ask(self) -> None:
        now = time.monotonic()
        if now < self._away_until:
            return
        with self._original.connect() as connection:
            self._marks = [
                *self._marks[-MAX_POSITIONS:],
                (now, parse_lsn(connection.execute(_CURRENT_LSN).scalar_one())),
            ]
        try:
            with self._copy.connect() as connection:
                replayed = connection.execute(_REPLAYED_LSN).scalar_one()
        except DBAPIError as fault:
            self._failed(fault)
            return
        self._asked_at = now
        if replayed is None:
            self._leave_alone("it is no copy that follows another database")
            return
        reached = [at for at, written in self._marks if written <= parse_lsn(replayed)]
        self._as_of = max(reached, default=self._as_of)

    def _failed(self, fault: DBAPIError) -> None:
        metrics.count(metrics.REPLICA_READS, "failed")
        if getattr(fault.orig, "sqlstate", None) not in _HARMLESS_SQLSTATES:
            self._leave_alone(type(fault.orig).__name__)

    def _leave_alone(self, why: str) -> None:
        self._away_until = time.monotonic() + BACKOFF_SECONDS
        self._as_of = float("-inf")
        log.warning("the copy of the database is not read for a while: %s", why)


def parse_lsn(lsn: str) -> int:
    """Parse a PostgreSQL log sequence number such as `1/8D000028`."""
    high, _, low = lsn.partition("/")
    return int(high, 16) << 32 | int(low, 16)


def open_replica(config: Config, original: Engine, pool_size: int = 8) -> Replica | None:
    """Return the configured replica, if any."""
    if config.replica_url is None:
        return None
    return Replica(original, connect(config.replica_url, pool_size, CONNECT_TIMEOUT_SECONDS))
