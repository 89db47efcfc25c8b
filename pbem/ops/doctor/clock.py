"""Clocks: deadlines are kept by them, so this machine's and the database's say the same."""

from __future__ import annotations

import ctypes
import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from pbem.ops.doctor.check import Check, failed, passed, warned

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.ops.doctor.check import Ground, Said

NOTICED, TOO_MUCH = 1.0, 10.0
"""Seconds between two clocks: what is worth a word, and what would let deadlines pass too early."""
_UNSYNCHRONISED = 5
"""What the kernel calls TIME_ERROR."""


def _of_the_database(ground: Ground) -> Iterator[Said]:
    with ground.engine.connect() as connection:
        began = datetime.now(UTC)
        theirs = connection.execute(select(func.clock_timestamp())).scalar_one()
        ended = datetime.now(UTC)
    yield compared((theirs - (began + (ended - began) / 2)).total_seconds())


def compared(seconds: float) -> Said:
    """Say what it means that the database's clock is so many seconds ahead of this machine's."""
    where = f"The database's clock is {abs(seconds):.1f} s {'ahead of' if seconds > 0 else 'behind'} this machine's"
    todo = "Have both machines keep their clocks by NTP (chrony, or systemd-timesyncd)."
    if abs(seconds) >= TOO_MUCH:
        return failed(f"{where}: deadlines would pass at wrong times.", todo)
    if abs(seconds) >= NOTICED:
        return warned(f"{where}.", todo)
    return passed("This machine and the database have the same time.")


def _of_this_machine(_ground: Ground) -> Iterator[Said]:
    yield kept(_kernel())


def kept(state: int | None) -> Said:
    """Say what it means that the kernel's clock is in some state; None where it does not tell."""
    if state is None:
        return passed("This machine does not tell by what its clock is kept.")
    if state == _UNSYNCHRONISED:
        todo = "Start chrony or systemd-timesyncd; in a container, on the machine that it runs on."
        return warned("Nothing sets this machine's clock right.", todo)
    return passed("This machine's clock is kept by NTP.")


def _kernel() -> int | None:
    try:
        # Nothing is set where all is zero; the buffer is longer than any kernel's own.
        state = ctypes.CDLL(None).adjtimex(ctypes.create_string_buffer(512))
    except (AttributeError, OSError):
        return None
    return int(state) if state >= 0 and os.name == "posix" else None


CHECKS = (Check("clock of the database", _of_the_database, needs=("database",)), Check("clock", _of_this_machine))
