"""Locks for work that one worker does at a time."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from sqlalchemy import Engine, text

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def try_lock(engine: Engine, lock_id: int) -> Iterator[bool]:
    """Acquire an advisory lock for the block, if it is free; yields whether it is held."""
    with engine.connect() as connection:
        mine = bool(connection.scalar(text("SELECT pg_try_advisory_lock(:key)"), {"key": lock_id}))
        connection.commit()
        try:
            yield mine
        finally:
            if mine:
                connection.execute(text("SELECT pg_advisory_unlock(:key)"), {"key": lock_id})
                connection.commit()
