"""Cyclic designs of groups: every two members meet exactly once, and everybody has each seat equally often.

The tables of a design are its base blocks, moved on by one member at a time, all around the group.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Design:
    """The design of a group of so many members, with tables of so many seats."""

    seats: int
    group: int
    blocks: tuple[tuple[int, ...], ...]

    @property
    def matches(self) -> int:
        """How many matches each member plays, all at once."""
        return self.seats * len(self.blocks)


DESIGNS: Mapping[int, tuple[Design, ...]] = {
    2: (Design(2, 5, ((0, 1), (0, 2))), Design(2, 7, ((0, 1), (0, 2), (0, 3)))),
    3: (Design(3, 7, ((0, 1, 3),)), Design(3, 13, ((0, 1, 4), (0, 2, 7)))),
    4: (Design(4, 13, ((0, 1, 3, 9),)),),
}
"""The designs by seats of a table, the smallest group first."""


def tables(design: Design) -> tuple[tuple[int, ...], ...]:
    """Return the members of each table, from 0, in the order of seats."""
    return tuple(
        tuple((member + moved) % design.group for member in block)
        for block in design.blocks
        for moved in range(design.group)
    )
