"""What the service should cost at most, in itself and beside others, and how that is printed."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from benchmarks.systems.system import Found

RATIOS = {
    ("ours", "mailman"): 0.20,
    ("ours", "roundup"): 0.50,
    ("ours", "plain"): 0.25,
    ("ours", "floor"): 4.0,
    ("ours", "pgbench"): 14.0,
    ("ours accepting", "mailman accepting"): 0.30,
}
"""Milliseconds of all processors for a move, or for a mail that is kept, beside those of others."""
COSTS = {"ours": 10.0}
"""Milliseconds of all processors for a move, on the machine of docs/develop/performance.md."""
LONE_SECONDS, REST_MEGABYTES = 0.2, 400


@dataclass(frozen=True, slots=True)
class Reached:
    """Something that was measured, and the most that it should be."""

    what: str
    found: float
    most: float
    unit: str = ""

    def __str__(self) -> str:
        by = f" by {self.found / self.most - 1:.0%}" if self.most else ""
        over = "" if self.found <= self.most else f"   over it{by}"
        return f"{self.what:<52}{self.found:>9.2f}{self.unit:<4} goal {self.most:>6.2f}{self.unit}{over}"


def table(rounds: Mapping[str, Sequence[Found]]) -> Iterable[str]:
    """Return lines with what each system did and cost, as the medians of its rounds."""
    yield f"{'':<20}{'a second':>9}{'ms, all':>9}{'harness':>9}{'mails':>7}{'kB':>7}   ms by part"
    for name, found in rounds.items():
        rate, harness, mails, octets = (
            statistics.median(getattr(one, what) for one in found) for what in ("rate", "harness", "mails", "octets")
        )
        costs = {part: statistics.median(one.costs[part] for one in found) for part in found[0].costs}
        parts = ", ".join(f"{part} {cost:.2f}" for part, cost in costs.items() if part != "all")
        line = f"{name:<20}{rate:>9.1f}{costs['all']:>9.2f}"
        yield line + (f"{harness:>9.2f}{mails:>7.2f}{octets / 1000:>7.1f}" if mails else " " * 23) + f"   {parts}"


def reached(rounds: Mapping[str, Sequence[Found]]) -> Iterable[Reached]:
    """Return what the rounds found beside each goal; a ratio is the median of the ratios within each round."""
    for name, most in COSTS.items():
        if name in rounds:
            found = statistics.median(one.costs["all"] for one in rounds[name])
            yield Reached(f"{name}, a move, all processors", found, most, " ms")
    for (name, peer), most in RATIOS.items():
        both = zip(rounds.get(name, ()), rounds.get(peer, ()), strict=False)
        # What took less than a tick of the kernel's clock, as in a smoke, has no cost to compare with.
        ratios = [our.costs["all"] / their.costs["all"] for our, their in both if their.costs["all"]]
        if ratios:
            yield Reached(f"{name} / {peer}", statistics.median(ratios), most)


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value that a share of all does not exceed."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]
