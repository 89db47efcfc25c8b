"""Results of measurements that take hours: kept in a file, so that one that was stopped goes on where it was."""

from __future__ import annotations

import shelve
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from concurrent.futures import Executor

P = TypeVar("P")
R = TypeVar("R")


def compute(pool: Executor, function: Callable[[P], R], plans: Sequence[P], keep: str = "") -> Iterator[R]:
    """Yield the result of each plan in order; those in the file `keep` are read, and new ones are added to it.

    The text of a plan is its key. A file whose measurement or code has changed since must be deleted first.
    """
    if not keep:
        yield from pool.map(function, plans)
        return
    with shelve.open(keep) as known:
        missing = pool.map(function, [plan for plan in plans if repr(plan) not in known])
        for plan in plans:
            if repr(plan) not in known:
                known[repr(plan)] = next(missing)
            found: R = known[repr(plan)]
            yield found
