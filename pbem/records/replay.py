"""`pbem replay FILE`: the match of a record step by step as text, without a database."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from pbem.boards import drawing_for
from pbem.boards.prose import clean_name
from pbem.games import Eye, Seat, find
from pbem.games.chain import EventEntry
from pbem.games.verify import VerifiedDeal, VerifiedEntry, check
from pbem.records.verify_command import (
    describe_event,
    describe_options,
    describe_result,
    heading,
    new_entries,
    print_report,
    wrap,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import Any

    from pbem.games import Game, Viewer
    from pbem.games.record import Record

_INDENT = "    "


@dataclass(frozen=True, slots=True)
class ReplayOptions:
    """What to show: one step or all, as a seat saw it or with everything open, with or without boards."""

    step: int | None = None
    seat: int | None = None
    boards: bool = True

    @property
    def viewer(self) -> Viewer:
        """Return who is looking."""
        return Eye.OPEN if self.seat is None else Seat(self.seat)


def replay_file(file: Path, shown: ReplayOptions) -> int:
    """Print the match of a record file; returns the command's exit status, the same as of `pbem verify`."""
    return print_report(file, lambda record: replay_lines(record, shown))


def replay_lines(record: Record, shown: ReplayOptions) -> Iterator[str]:
    """Yield the lines of a match while it is replayed; raises UnsoundError with the first thing that does not hold."""
    if shown.seat is not None and not 1 <= shown.seat <= len(record.seats):
        raise click.UsageError(f"There is no seat {shown.seat}: this match has seats 1 to {len(record.seats)}.")
    if shown.step is not None and not 0 <= shown.step <= len(record.log):
        raise click.UsageError(
            f"There is no step {shown.step}: this match has steps 0 (the deal) to {len(record.log)}."
        )
    names, number = tuple(map(clean_name, record.seats)), 0
    yield heading(record)
    yield from wrap(describe_options(record), "  ")
    for found in check(record, find):
        if isinstance(found, str):
            continue
        if shown.step in (None, number):
            yield ""
            yield from _step_lines(found, number, names, shown)
        number += 1
    if shown.step is None:
        yield from ("", "The result", *(f"  {line}" for line in describe_result(record, names)))
    yield ""


def _step_lines(
    found: VerifiedDeal | VerifiedEntry, number: int, names: tuple[str, ...], shown: ReplayOptions
) -> Iterator[str]:
    if isinstance(found, VerifiedDeal):
        yield "Step 0: the deal"
        yield from _board_lines(found.game, found.position, names, shown)
        return
    entry = found.entry
    at = clean_name(entry.at, 60)
    if isinstance(entry, EventEntry):
        yield from wrap(f"Step {number}, {at}: {describe_event(entry, names)}", "")
    else:
        yield f"Step {number}, move {entry.ply} by {names[entry.seat - 1]}, {at}"
        drawing = drawing_for(found.game.key)
        for change in new_entries(found, shown.viewer):
            yield from wrap(drawing.tell(change, names), _INDENT)
    yield from _board_lines(found.game, found.after, names, shown)


def _board_lines(game: Game[Any], position: Any, names: tuple[str, ...], shown: ReplayOptions) -> Iterator[str]:
    if not shown.boards:
        return
    text = drawing_for(game.key).text(game.board(position, shown.viewer), names, shown.seat)
    yield from ("", *textwrap.indent(text.rstrip("\n"), _INDENT).splitlines())
