"""Keyset pagination of long lists: each page starts after the last row of the one before."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from sqlalchemy import Select, tuple_

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.play.core.context import Context

ROWS_PER_PAGE = 25
"""Rows per page."""
MAX_ROW_NUMBER = 2**63 - 1
"""Maximum number of a row."""

T = TypeVar("T")
Cursor = tuple[datetime, str]
"""Position of a row: its time and its id."""


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """One page of a list; the next one starts after `after`, if there is more."""

    rows: tuple[T, ...]
    after: Cursor | None = None


@dataclass(frozen=True, slots=True)
class Order:
    """Sort order of a list: a time and the row's id, newest first unless `oldest`.

    With `numbered`, ids are chronological numbers, and rows are sorted by them alone, since these have an index.
    """

    at: Any
    name: Any
    oldest: bool = False
    numbered: bool = False

    @property
    def columns(self) -> tuple[Any, ...]:
        """Columns to sort by."""
        return (self.name,) if self.numbered else (self.at, self.name)


def load_page(
    ctx: Context,
    wanted: Select[*tuple[Any, ...]],
    order: Order,
    after: Cursor | None,
    made: Callable[..., T],
    most: int = ROWS_PER_PAGE,
) -> Page[T]:
    """Load one page of a list; `made` builds each item from the selected columns."""
    if after is not None:
        place = _cursor_values(order, after)
        if place is None:
            return Page(())
        here = tuple_(*order.columns)
        wanted = wanted.where(here > place if order.oldest else here < place)
    by = order.columns if order.oldest else (column.desc() for column in order.columns)
    found = ctx.session.execute(wanted.add_columns(order.at, order.name).order_by(*by).limit(most + 1)).all()
    last = found[most - 1] if len(found) > most else None
    rows = tuple(made(*row[:-2]) for row in found[:most])
    return Page(rows, (last[-2], str(last[-1])) if last is not None else None)


def parse_number(typed: str) -> int | None:
    """Parse the number of a row; return None if it cannot be one."""
    plain = typed.isascii() and typed.isdecimal() and len(typed) <= len(str(MAX_ROW_NUMBER))
    return int(typed) if plain and int(typed) <= MAX_ROW_NUMBER else None


def _cursor_values(order: Order, after: Cursor) -> tuple[Any, ...] | None:
    at, name = after
    if order.name.type.python_type is not int:
        return at, name
    row = parse_number(name)
    if row is None:
        return None
    return (row,) if order.numbered else (at, row)
