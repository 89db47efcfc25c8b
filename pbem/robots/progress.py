"""Progress of an analysis of a finished match, which is made piece by piece."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from pbem.games import Json
    from pbem.games.record import Record


@dataclass(frozen=True, slots=True)
class Progress:
    """An analysis after a piece of work: how much of it is done, and all that is needed to go on; last its result.

    `work` is plain data, of which neither the order of keys nor a float beyond what JSON writes may matter.
    """

    done: int
    total: int
    work: dict[str, Json]
    result: dict[str, Json] | None = None


Steps: TypeAlias = "Callable[[Record, Mapping[str, Json]], Iterable[Progress]]"
"""Yields the progress of an analysis of a record, from where its work has got to; at first that is empty.

The result is the same wherever the work was interrupted. Raises ValueError for a record that cannot be analysed.
"""
