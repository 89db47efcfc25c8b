"""Progress: a bar on the terminal of whoever waits for a command, and nothing where nobody does."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@contextmanager
def bar(total: int, label: str = "", *, count: bool = True) -> Iterator[Callable[[int], None]]:
    """Show on a terminal how far something has come; `count` also in numbers."""
    hidden = not sys.stderr.isatty()
    with click.progressbar(length=total, label=label, show_pos=count, file=sys.stderr, hidden=hidden) as shown:
        yield shown.update
