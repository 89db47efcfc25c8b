"""How one run measures things beside each other, and what it holds the ratios against."""

from __future__ import annotations

import statistics
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    Measure: TypeAlias = "Callable[[], int]"
    Clock: TypeAlias = "Callable[[], float]"

Ratios: TypeAlias = dict[tuple[str, str], float]
"""How much faster the first is than the second, by both names."""


@dataclass(frozen=True, slots=True)
class Goal:
    """A ratio that something should reach beside a peer."""

    what: str
    peer: str
    least: float


def rate(measure: Measure, seconds: float, clock: Clock) -> float:
    """Repeat something for a while; returns how much was done per second of a clock."""
    done, begun = 0, clock()
    while (passed := clock() - begun) < seconds:
        done += measure()
    return done / passed


def compared(
    ours: Mapping[str, Measure],
    theirs: Mapping[str, Measure],
    turns: int,
    seconds: float,
    clock: Clock = time.process_time,
) -> Ratios:
    """Take all in turns, print each with the ratios of ours to theirs, and return these."""
    both = {**theirs, **ours}
    rates: dict[str, list[float]] = {name: [] for name in both}
    for _ in range(turns):
        for name, measure in both.items():
            rates[name].append(rate(measure, seconds, clock))
    ratios: Ratios = {}
    for name in both:
        line = f"{name:<42}{statistics.median(rates[name]):>12,.0f}/s"
        for peer in theirs if name in ours else ():
            ratio = statistics.median(a / b for a, b in zip(rates[name], rates[peer], strict=True))
            ratios[name, peer] = ratio
            line += f"   {ratio:.2f} x {peer}"
        print(line)
    return ratios


def report(goals: Iterable[Goal], ratios: Ratios) -> None:
    """Print each goal with what was reached."""
    print(f"{'':<32}{'beside':<28}{'goal':>6}{'reached':>10}")
    for goal in goals:
        reached = ratios.get((goal.what, goal.peer))
        found, short = ("-", "not measured") if reached is None else (f"{reached:.2f}", "")
        if reached is not None and reached < goal.least:
            short = f"short of it by {1 - reached / goal.least:.0%}"
        print(f"{goal.what:<32}{goal.peer:<28}{goal.least:>6.2f}{found:>10}   {short}".rstrip())
