"""A copy of the database that pages may be read from: while it follows closely, and never by who has just acted."""

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

FRESH = 2.0
"""Seconds that what is read from the copy may be old."""
ASKED = 0.5
"""So often, in seconds, it is asked how far the copy has come."""
PAUSE = 5.0
"""Seconds in which a copy is left alone that could not be reached."""
PATIENCE = 2
"""Seconds that the copy may take to answer at first."""
MARKS = 64
"""So many places that the original has reached are remembered."""

_WRITTEN = text("SELECT pg_current_wal_lsn()::text")
_REPLAYED = text("SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn()::text END")
_CONFLICTS = ("40001", "40P01", "25006")
"""The copy is well, and this alone could not be read: its rows were cleared away, or something was to be written."""

Found = TypeVar("Found")


class Replica:
    """Reads from a copy of the database where it is fresh, and otherwise from the original.

    How old the copy is needs no clock of another machine: the original is asked now and then how far it has written,
    and the copy is as old as the last such place that it has reached. That holds while nothing is written, too. (What
    was committed without waiting for the disk is written some tenths of a second later; no page tells of that.)
    """

    def __init__(self, original: Engine, copy: Engine) -> None:
        self._original, self._copy = original, copy
        self._asking = threading.Lock()
        self._marks: list[tuple[float, int]] = []
        self._asked_at = self._away_until = self._as_of = float("-inf")

    def read(self, look: Callable[[Engine], Found], *otherwise: type[Exception]) -> Found:
        """Look something up by a function of the engine; again in the original, where it fails or is not there yet.

        What `look` does besides is done twice then. `otherwise` are the faults for which the original is asked, too.
        """
        if self.is_fresh():
            try:
                found = look(self._copy)
            except DBAPIError as fault:
                self._failed(fault)
            except otherwise:
                metrics.count(metrics.REPLICA, "not there")
            else:
                metrics.count(metrics.REPLICA, "read")
                return found
        else:
            metrics.count(metrics.REPLICA, "behind")
        return look(self._original)

    def is_fresh(self) -> bool:
        """Tell whether the copy may be read now."""
        # Who comes while another asks does not wait: what was known before is good enough.
        if time.monotonic() - self._asked_at >= ASKED and self._asking.acquire(blocking=False):
            try:
                self._ask()
            finally:
                self._asking.release()
        return time.monotonic() < self._as_of + FRESH

    def close(self) -> None:
        """Let the connections to the copy go."""
        self._copy.dispose()

    def _ask(self) -> None:
        now = time.monotonic()
        if now < self._away_until:
            return
        with self._original.connect() as connection:
            self._marks = [*self._marks[-MARKS:], (now, place(connection.execute(_WRITTEN).scalar_one()))]
        try:
            with self._copy.connect() as connection:
                replayed = connection.execute(_REPLAYED).scalar_one()
        except DBAPIError as fault:
            self._failed(fault)
            return
        self._asked_at = now
        if replayed is None:
            self._leave_alone("it is no copy that follows another database")
            return
        reached = [at for at, written in self._marks if written <= place(replayed)]
        self._as_of = max(reached, default=self._as_of)

    def _failed(self, fault: DBAPIError) -> None:
        metrics.count(metrics.REPLICA, "failed")
        if getattr(fault.orig, "sqlstate", None) not in _CONFLICTS:
            self._leave_alone(type(fault.orig).__name__)

    def _leave_alone(self, why: str) -> None:
        self._away_until = time.monotonic() + PAUSE
        self._as_of = float("-inf")
        log.warning("the copy of the database is not read for a while: %s", why)


def place(lsn: str) -> int:
    """Read a place in PostgreSQL's log as a number: `1/8D000028`."""
    high, _, low = lsn.partition("/")
    return int(high, 16) << 32 | int(low, 16)


def replica_of(config: Config, original: Engine, pool_size: int = 8) -> Replica | None:
    """Give the copy that the settings name, if they do."""
    if config.replica_url is None:
        return None
    return Replica(original, connect(config.replica_url, pool_size, PATIENCE))
