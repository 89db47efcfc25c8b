"""How many examples are tried of what holds for all: all where nobody waits (CI=true), some where somebody does."""

from __future__ import annotations

import os
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

T = TypeVar("T")
THOROUGH = bool(os.environ.get("CI"))


def examples(number: int) -> int:
    """Return how many of so many examples are tried, two at the least."""
    return number if THOROUGH else max(number // 10, 2)


def few(items: Iterable[T], one_in: int = 10) -> Iterator[T]:
    """Yield those of some examples that are tried, the first among them: all, or one in so many."""
    return islice(items, None, None, 1 if THOROUGH else one_in)
