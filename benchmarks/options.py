"""What a benchmark may be told: numbers to measure with, and beside each a small one that `--smoke` takes."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence


class Options(argparse.ArgumentParser):
    """The options of a benchmark, with `--smoke` among them: all its steps in seconds, whose figures say nothing."""

    def __init__(self, about: str | None) -> None:
        super().__init__(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
        self._small: dict[str, Any] = {}
        self.add_argument("--smoke", action="store_true", help="take every step with small numbers, in seconds")

    def number(self, name: str, usual: float, small: float, about: str | None = None) -> None:
        """Add a number that may be told, as it usually is and as it is in a smoke."""
        option = self.add_argument(name, type=type(usual), default=usual, help=about)
        self._small[option.dest] = small

    def numbers(self, name: str, usual: Sequence[int], small: Sequence[int], about: str | None = None) -> None:
        """Add several numbers under one name."""
        option = self.add_argument(name, type=int, nargs="+", default=usual, help=about)
        self._small[option.dest] = small

    def told(self, words: Sequence[str] | None = None) -> argparse.Namespace:
        """Read the command line, or some words; what they say themselves counts before the small numbers."""
        wanted = self.parse_args(words)
        if not wanted.smoke:
            return wanted
        self.set_defaults(**self._small)
        return self.parse_args(words)
