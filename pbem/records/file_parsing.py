"""Parsing of record files, as JSON or as text, with one sentence on why a file is no record."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from pbem.games.record import FORMAT, InvalidRecordError, NotARecordError, parse_record
from pbem.games.record_text import parse_text

if TYPE_CHECKING:
    from pathlib import Path

    from pbem.games.record import Record

MAX_RECORD_BYTES = 32 << 20
"""Maximum bytes of a record file; no match has a larger one."""
_PREFIX_BYTES = 1 << 16
"""Bytes in which a record identifies itself, for files that are too large to be read."""

_embedded = re.compile(
    rb'\s*<!doctype html>.*?<script type="application/json" id="record">(?P<record>.*?)</script>',
    re.DOTALL | re.IGNORECASE,
).match
"""Match of the replay file of a match, a page that contains its record."""
_is_text = re.compile(rb"(?:\xef\xbb\xbf)?\s*\[\s*Format\b").match
_claims_to_be_record = re.compile(rb'"format"\s*:\s*"' + FORMAT.encode() + rb'"').search
"""Search for the claim of JSON to be a record, complete or not."""


def read_file(file: Path) -> Record:
    """Read a record from a file; raises InvalidRecordError if the file claims to be a record, else NotARecordError."""
    try:
        with file.open("rb") as opened:
            raw = opened.read(MAX_RECORD_BYTES + 1)
    except OSError as unreadable:
        raise NotARecordError(f"{file} cannot be read: {unreadable.strerror}.") from None
    if len(raw) > MAX_RECORD_BYTES:
        beginning = raw[:_PREFIX_BYTES]
        wrong = InvalidRecordError if _is_text(beginning) or _claims_to_be_record(beginning) else NotARecordError
        raise wrong(f"This is not a record: it is larger than {MAX_RECORD_BYTES >> 20} MB.")
    return read_bytes(raw)


def read_bytes(raw: bytes) -> Record:
    """Parse the content of a record file, or the record in a replay file; raises the same errors."""
    if page := _embedded(raw):
        raw = page["record"]
    if _is_text(raw):
        try:
            return parse_text(raw.decode())
        except UnicodeDecodeError as wrong:
            line = raw.count(b"\n", 0, wrong.start) + 1
            raise InvalidRecordError(f"This record is not valid: line {line} is not UTF-8.") from None
    try:
        data = json.loads(raw, object_pairs_hook=_unique_object)
    except (ValueError, RecursionError) as wrong:
        if not _claims_to_be_record(raw):
            raise NotARecordError("This is not a record: it is neither JSON nor the text form.") from None
        raise InvalidRecordError(f"This record is not valid: {_reason(wrong)}.") from None
    return parse_record(data)


def _unique_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Build an object from its pairs, and reject duplicate keys: programs differ in which one they use."""
    made = dict(pairs)
    if len(made) < len(pairs):
        twice = next(key for number, (key, _) in enumerate(pairs) if key in dict(pairs[:number]))
        raise ValueError(f"“{twice}” appears twice in an object")
    return made


def _reason(wrong: Exception) -> str:
    if not isinstance(wrong, json.JSONDecodeError):
        return str(wrong) if type(wrong) is ValueError else "it is not UTF-8, or nested too deeply"
    entries = wrong.doc.count('"salt"', 0, wrong.pos)
    return (
        f"after {entries} entries of the log (line {wrong.lineno}, column {wrong.colno}), it is cut off or is not JSON"
    )
