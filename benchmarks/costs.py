"""What processes cost: their time on the processors."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_TICKS = os.sysconf("SC_CLK_TCK")
_PARENT, _TIMES = 1, slice(11, 15)
"""Where `/proc/PID/stat` has these behind the process's name: of the times, those of its children that ended too."""


@dataclass(frozen=True, slots=True)
class Costs:
    """Seconds on the processors, by the part that spent them."""

    seconds: Mapping[str, float]

    def since(self, before: Costs) -> Costs:
        """Return what was spent between two moments."""
        return Costs({name: spent - before.seconds.get(name, 0.0) for name, spent in self.seconds.items()})

    def each(self, count: float) -> dict[str, float]:
        """Return the milliseconds for one of so many things done, of each kind of part and of all together.

        Parts of one kind have names that begin with the same word.
        """
        shares: dict[str, float] = {}
        for name, spent in self.seconds.items():
            kind = name.split()[0]
            shares[kind] = shares.get(kind, 0.0) + spent * 1000 / count
        return shares | {"all": sum(shares.values())}


def spent(parts: Mapping[str, int]) -> Costs:
    """Look at what parts have cost up to now, each with all processes below it; they are named with their numbers."""
    parents, times = _processes()
    return Costs({name: sum(times.get(pid, 0.0) for pid in _below(root, parents)) for name, root in parts.items()})


def _processes() -> tuple[dict[int, int], dict[int, float]]:
    parents, times = {}, {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            # The name in brackets may hold anything, blanks and brackets too.
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            parents[int(folder.name)] = int(fields[_PARENT])
            times[int(folder.name)] = sum(map(int, fields[_TIMES])) / _TICKS
    return parents, times


def _below(root: int, parents: Mapping[int, int]) -> set[int]:
    """List a process and all below it."""
    found, new = {root}, {root}
    while new:
        new = {pid for pid, parent in parents.items() if parent in new} - found
        found |= new
    return found
