"""Locks of shards, of which only one run at a time sends the mails; the lock of a run that is killed ends with it."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.db.session import DriverConnection

_LOCK_CLASS = 8247


@contextmanager
def shard_lock(connection: DriverConnection, shard: int) -> Iterator[bool]:
    """Lock a shard on a connection in autocommit mode; yields False if another run holds it."""
    key = _LOCK_CLASS, shard
    row = connection.execute("SELECT pg_try_advisory_lock(%s, %s)", key, prepare=True).fetchone()
    mine = row == (True,)
    try:
        yield mine
    finally:
        if mine:
            connection.execute("SELECT pg_advisory_unlock(%s, %s)", key, prepare=True)
