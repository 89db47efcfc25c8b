"""Sequential halving: all options are tried alike, and the worse half is left out, again and again.

Karnin, Koren and Somekh, “Almost optimal exploration in multi-armed bandits”, 2013.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

T = TypeVar("T")


@dataclass(slots=True)
class Option(Generic[T]):
    """What can be chosen, how often it was tried, and the sum of what came of it."""

    choice: T
    times: int = 0
    total: float = 0.0


def halve(choices: Iterable[T], trials: int, worlds: Iterator[Callable[[T], float]]) -> list[Option[T]]:
    """Return the options, best first; a world says what comes of a choice in it.

    All options that are left are tried in the same worlds, so that luck does not tell them apart.
    """
    left = [Option(choice) for choice in choices]
    dropped: list[Option[T]] = []
    stages = (len(left) - 1).bit_length()
    for _ in range(stages):
        times = max(1, trials // stages // len(left))
        for _ in range(times):
            world = next(worlds)
            for option in left:
                option.total += world(option.choice)
        for option in left:
            option.times += times
        left.sort(key=lambda option: -option.total)
        kept = (len(left) + 1) // 2
        left, dropped = left[:kept], left[kept:] + dropped
    return left + dropped
