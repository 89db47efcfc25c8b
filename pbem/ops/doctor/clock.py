"""Check that the clocks of this machine and the database agree: deadlines depend on them."""

from __future__ import annotations

import ctypes
import os
from datetime import UTC, datetime

from sqlalchemy import func, select

from pbem.ops.doctor.check import Check, CheckContext, Result, Results, failed, passed, warned

WARN_SECONDS, FAIL_SECONDS = 1.0, 10.0
"""Seconds between the two clocks from which to warn, and to fail because deadlines would pass too early."""
_UNSYNCHRONISED = 5
"""TIME_ERROR of the kernel."""


def _check_database_clock(context: CheckContext) -> Results:
    with context.engine.connect() as connection:
        began = datetime.now(UTC)
        theirs = connection.execute(select(func.clock_timestamp())).scalar_one()
        ended = datetime.now(UTC)
    yield offset_result((theirs - (began + (ended - began) / 2)).total_seconds())


def offset_result(seconds: float) -> Result:
    """Return the result for the seconds by which the database's clock is ahead of this machine's."""
    where = f"The database's clock is {abs(seconds):.1f} s {'ahead of' if seconds > 0 else 'behind'} this machine's"
    todo = "Keep both clocks in sync by NTP: chrony or systemd-timesyncd."
    if abs(seconds) >= FAIL_SECONDS:
        return failed(f"{where}: deadlines would pass at the wrong time.", todo)
    if abs(seconds) >= WARN_SECONDS:
        return warned(f"{where}.", todo)
    return passed("This machine and the database agree on the time.")


def _check_machine_clock(_context: CheckContext) -> Results:
    try:
        # All zero reads without setting anything; the buffer is larger than any kernel's struct timex.
        state = ctypes.CDLL(None).adjtimex(ctypes.create_string_buffer(512))
    except (AttributeError, OSError):
        state = -1
    yield kernel_result(int(state) if state >= 0 and os.name == "posix" else None)


def kernel_result(state: int | None) -> Result:
    """Return the result for a state of the kernel's clock; None if it is unknown."""
    if state is None:
        return passed("This machine does not report how its clock is kept in sync.")
    if state == _UNSYNCHRONISED:
        todo = "Start chrony or systemd-timesyncd; for a container, on its host."
        return warned("Nothing keeps this machine's clock in sync.", todo)
    return passed("This machine's clock is synchronised.")


CHECKS = (
    Check("clock of the database", _check_database_clock, needs=("database",)),
    Check("clock", _check_machine_clock),
)
