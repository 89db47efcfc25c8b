"""A progress bar for commands, shown only on a terminal."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@contextmanager
def progress_bar(total: int, label: str = "", *, count: bool = True) -> Iterator[Callable[[int], None]]:
    """Show a progress bar on a terminal, with `count` also in numbers; yields the function that advances it."""
    hidden = not sys.stderr.isatty()
    with click.progressbar(length=total, label=label, show_pos=count, file=sys.stderr, hidden=hidden) as shown:
        yield shown.update
