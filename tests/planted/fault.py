"""The faults: each a sentence, a text of one file, what stands there instead, and the tests to ask first."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ROOT = Path(__file__).parents[2]
LISTS = Path(__file__).parent / "faults"
SLOW = ("tests", "slow")
"""Below this folder no test is asked: each of those takes minutes."""


class PlantingError(Exception):
    """A reason why a fault cannot be planted, or its tests cannot be run."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that is broken: `name` says what, `tests` are the stems of the modules that are asked first."""

    area: str
    name: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]

    def planted(self, text: str) -> str:
        """Return the text of the file with the fault in it; raises PlantingError where it has no place there."""
        count = text.count(self.old)
        if count != 1:
            there = "is there no more" if not count else f"is there {count} times"
            raise PlantingError(f"“{self.name}” cannot be planted: its old text {there} in {self.file}.")
        if self.old == self.new:
            raise PlantingError(f"“{self.name}” changes nothing in {self.file}.")
        return text.replace(self.old, self.new)


def every(lists: Path = LISTS) -> list[Fault]:
    """List all faults, area by area."""
    return [fault for path in sorted(lists.glob("*.toml")) for fault in _listed(path)]


def modules(tests: Sequence[str], root: Path = ROOT) -> list[str]:
    """Find the modules of some stems anywhere below `tests`, in the order of their stems.

    One stem may be that of several: those that test the same in different ways.
    """
    return [str(path.relative_to(root)) for stem in tests for path in _modules(stem, root)]


@cache
def _every_module(root: Path) -> list[Path]:
    found = sorted((root / "tests").rglob("*.py"))
    return [path for path in found if path.relative_to(root).parts[:2] != SLOW]


def _listed(path: Path) -> Iterator[Fault]:
    for one in tomllib.loads(path.read_text("utf-8"))["fault"]:
        yield Fault(path.stem, one["name"], one["file"], one["old"], one["new"], tuple(one["tests"]))


def _modules(stem: str, root: Path) -> list[Path]:
    quick = [path for path in _every_module(root) if path.stem == stem]
    if not quick:
        raise PlantingError(f"There is no module {stem} below tests.")
    return quick
