"""The parts of a system that is measured: each is a process with all below it, whose time is added up by its name."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from benchmarks import costs
from pbem.ops.up.process import running

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.costs import Costs
    from pbem.ops.up.process import Part


class Parts:
    """The parts that run now, by their names."""

    def __init__(self) -> None:
        self._roots: dict[str, int] = {}

    @contextmanager
    def running(self, part: Part) -> Iterator[None]:
        """Run a part within the block."""
        with running(part) as run:
            self._roots[part.name] = run.process.pid
            yield
        del self._roots[part.name]

    def spent(self) -> Costs:
        """Return what all parts have cost up to now."""
        return costs.spent(self._roots)
