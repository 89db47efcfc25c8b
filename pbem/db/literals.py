"""Values in statements as literals instead of parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import literal_column

if TYPE_CHECKING:
    from enum import StrEnum

    from sqlalchemy import ColumnClause


def member(value: StrEnum) -> ColumnClause[Any]:
    """Return a member of an enumeration as a literal, so that a generic query plan can use a partial index on it."""
    return literal_column(f"'{value}'")
