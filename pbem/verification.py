"""`pbem verify FILE`: a record checked, with a report that a person can follow."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from pbem.games import find
from pbem.games.record import NoRecordError, read_record
from pbem.games.verify import UnsoundError, verify

if TYPE_CHECKING:
    from pathlib import Path

HOLDS, DOES_NOT_HOLD, NO_RECORD = 0, 1, 2
LARGEST = 32 << 20
"""A file of more bytes is no record of any match."""


def verify_file(file: Path) -> int:
    """Report on a record file; returns the command's exit status."""
    try:
        record = read_record(_data(file))
    except NoRecordError as wrong:
        print(wrong, file=sys.stderr)
        return NO_RECORD
    print(f"Record of match {record.match}: {' and '.join(record.seats)}")
    try:
        for sentence in verify(record, find):
            print(f"  holds: {sentence}")
    except UnsoundError as unsound:
        print(f"  DOES NOT HOLD: {unsound}", file=sys.stderr)
        return DOES_NOT_HOLD
    print("Everything in this record holds.")
    return HOLDS


def _data(file: Path) -> object:
    try:
        raw = file.read_bytes() if file.stat().st_size <= LARGEST else None
    except OSError as unreadable:
        raise NoRecordError(f"{file} cannot be read: {unreadable.strerror}.") from None
    if raw is None:
        raise NoRecordError(f"This is no record: it is larger than {LARGEST >> 20} MB.")
    try:
        return json.loads(raw)
    except (ValueError, RecursionError):
        raise NoRecordError("This is no record: it is not JSON.") from None
