"""SQLSTATE codes by which the database says why a statement failed."""

from __future__ import annotations

from typing import Any

DEADLOCK = "40P01"
"""Two transactions waited for each other, and this one was ended: it can be tried again."""


def sqlstate(error: BaseException) -> str | None:
    """Return the SQLSTATE of an error of SQLAlchemy or of the driver, or None if it has none."""
    found: Any = getattr(getattr(error, "orig", error), "sqlstate", None)
    return str(found) if found is not None else None


def is_deadlock(error: BaseException) -> bool:
    """Return whether a transaction failed because it and another one waited for each other."""
    return sqlstate(error) == DEADLOCK
