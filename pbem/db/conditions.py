"""Parts of conditions in constant statements, whose values are passed when they are executed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import ARRAY, any_, bindparam, literal_column

if TYPE_CHECKING:
    from enum import StrEnum

    from sqlalchemy import ColumnClause, ColumnElement


def member(value: StrEnum) -> ColumnClause[Any]:
    """Return a member of an enumeration as a literal, so that a generic query plan can use a partial index on it."""
    return literal_column(f"'{value}'")


def is_any_of(column: Any, name: str) -> ColumnElement[bool]:
    """Build the condition that a column has one of the values of a list parameter."""
    condition: ColumnElement[bool] = column == any_(bindparam(name, type_=ARRAY(column.type)))
    return condition
