"""Checks connections as they leave the pool: only those that were idle are asked, which costs a round trip."""

from __future__ import annotations

import select
import time
from typing import TYPE_CHECKING, Any

import psycopg
from sqlalchemy import event
from sqlalchemy.exc import InvalidatePoolError

if TYPE_CHECKING:
    from sqlalchemy import Engine
    from sqlalchemy.pool import ConnectionPoolEntry

MAX_IDLE_SECONDS = 1.0
"""Seconds for which a connection is trusted after its last use, unless the server has closed it."""

_USED_AT = "used at"


def check_idle_connections(engine: Engine) -> None:
    """Replace connections that the server has dropped, as they leave the engine's pool."""

    def note_use(_connection: Any, record: ConnectionPoolEntry) -> None:
        record.info[_USED_AT] = time.monotonic()

    def check(connection: Any, record: ConnectionPoolEntry, _pooled: object) -> None:
        used_at = record.info.get(_USED_AT)
        try:
            if used_at is None or (time.monotonic() - used_at < MAX_IDLE_SECONDS and not _has_input(connection)):
                return
            engine.dialect.do_ping(connection)
        except psycopg.Error as error:
            raise InvalidatePoolError from error

    event.listen(engine, "checkin", note_use)
    event.listen(engine, "checkout", check)


def _has_input(connection: psycopg.Connection[Any]) -> bool:
    """Return whether the server has sent something unasked: that it ends the connection, as a rule."""
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN)
    return bool(poll.poll(0))
