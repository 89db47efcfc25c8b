"""Keyset pagination of long lists: each page starts after the last row of the one before."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from sqlalchemy import tuple_

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Select

    from pbem.play.core.context import Context

ROWS = 25
"""Rows per page."""
_LARGEST = 2**63 - 1

T = TypeVar("T")
Place = tuple[datetime, str]
"""Position of a row: its time and its id."""


@dataclass(frozen=True, slots=True)
class Rows(Generic[T]):
    """One page of a list; the next one starts after `after`, if there is more."""

    rows: tuple[T, ...]
    after: Place | None = None


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
        """The columns to sort by."""
        return (self.name,) if self.numbered else (self.at, self.name)


def page(
    ctx: Context,
    wanted: Select[*tuple[Any, ...]],
    order: Order,
    after: Place | None,
    made: Callable[..., T],
    most: int = ROWS,
) -> Rows[T]:
    """Load one page of a list; `made` builds each item from the selected columns."""
    if after is not None:
        place = _place(order, after)
        if place is None:
            return Rows(())
        here = tuple_(*order.columns)
        wanted = wanted.where(here > place if order.oldest else here < place)
    by = order.columns if order.oldest else (column.desc() for column in order.columns)
    found = ctx.session.execute(wanted.add_columns(order.at, order.name).order_by(*by).limit(most + 1)).all()
    last = found[most - 1] if len(found) > most else None
    rows = tuple(made(*row[:-2]) for row in found[:most])
    return Rows(rows, (last[-2], str(last[-1])) if last is not None else None)


def number(typed: str) -> int | None:
    """Parse the number of a row; return None if it cannot be one."""
    plain = typed.isascii() and typed.isdecimal() and len(typed) <= len(str(_LARGEST))
    return int(typed) if plain and int(typed) <= _LARGEST else None


def _place(order: Order, after: Place) -> tuple[Any, ...] | None:
    at, name = after
    if order.name.type.python_type is not int:
        return at, name
    row = number(name)
    if row is None:
        return None
    return (row,) if order.numbered else (at, row)
