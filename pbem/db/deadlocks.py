"""Transactions that waited for each other, of which the database has ended one."""

from __future__ import annotations

_DEADLOCK_SQLSTATE = "40P01"


def is_deadlock(error: BaseException) -> bool:
    """Return whether a transaction failed because it and another one waited for each other: it can be tried again."""
    return getattr(getattr(error, "orig", error), "sqlstate", None) == _DEADLOCK_SQLSTATE
