"""How many examples are tried of what holds for all: all where nobody waits (CI=true), some where somebody does."""

from __future__ import annotations

import os
from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

T = TypeVar("T")
THOROUGH = bool(os.environ.get("CI"))
FIRST, ONE_IN = 3, 4
"""Of a table of examples the first three are tried where somebody waits, and then one in four."""


def examples(number: int) -> int:
    """Return how many of so many examples are tried, two at the least."""
    return number if THOROUGH else max(number // 10, 2)


def passed_over(names: Iterable[str]) -> list[bool]:
    """Return for each test, by its name, whether only `.ci/run` runs it: a table of examples is tried in part."""
    seen = Counter[str]()
    answers = []
    for name in names:
        test = name.partition("[")[0]
        answers.append(not THOROUGH and seen[test] >= FIRST and seen[test] % ONE_IN != 0)
        seen[test] += 1
    return answers


def few(items: Iterable[T], one_in: int = 10) -> Iterator[T]:
    """Yield those of some examples that are tried, the first among them: all, or one in so many."""
    return islice(items, None, None, 1 if THOROUGH else one_in)
