"""The rounds of a field: in each everybody sits at a table, nobody meets anybody twice, and the seats go round.

The entrants are as many classes as a table has seats, and each table has one of each class. From one round to the next,
each class goes on by as many tables as its number, so that two of different classes meet at most once; two of the same
class never do. Where the entrants do not fill the tables, robots (None) do: as far as they go, in the last class, so
that few tables have two of them.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

Table = tuple[int | None, ...]
"""Those at a table, in the order of the seats."""
Round = tuple[Table, ...]


def count_tables(entrants: int, seats: int, rounds: int) -> int:
    """Return the smallest number of tables that seats all entrants, and at which nobody meets anybody twice."""
    tables = max(1, -(-entrants // seats))
    while not _meet_once(tables, seats, rounds):
        tables += 1
    return tables


def field_rounds(entrants: Sequence[int], seats: int, rounds: int | None = None) -> tuple[Round, ...]:
    """Return the rounds of a field, by default as many as there are seats: then everybody has each seat once.

    The order of the entrants decides who meets whom; they must differ.
    """
    count = seats if rounds is None else rounds
    tables = count_tables(len(entrants), seats, count)
    everybody = [*entrants, *[None] * (tables * seats - len(entrants))]
    classes = [everybody[tables * number : tables * (number + 1)] for number in range(seats)]
    return tuple(tuple(_seat(classes, turn, table) for table in range(tables)) for turn in range(count))


def _seat(classes: Sequence[Sequence[int | None]], turn: int, table: int) -> Table:
    """Return those at a table: class 0 stays there, and begins in seat 1; each round all change by a seat."""
    seats = len(classes)
    members = [people[(table + number * turn) % len(people)] for number, people in enumerate(classes)]
    return tuple(members[(seat - turn) % seats] for seat in range(seats))


def _meet_once(tables: int, seats: int, rounds: int) -> bool:
    """Return whether no two classes are at the same distance in two rounds."""
    return all(classes * turns % tables for classes, turns in product(range(1, seats), range(1, rounds)))
