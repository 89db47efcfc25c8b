"""Limits that a mail must meet before it is parsed; hostile mail is refused by counting its bytes.

Every check is one linear pass, and together they bound the work of all that follows: the standard parser recurses into
each nested part, tries every open boundary on every line, and takes quadratic time for one Content header.
"""

from __future__ import annotations

import re
from email.parser import BytesHeaderParser, BytesParser
from email.policy import compat32
from typing import TYPE_CHECKING

from emails.parsing.headers import normalize_names

if TYPE_CHECKING:
    from email.message import Message

MAX_MAIL_BYTES = 1024 * 1024
"""Maximum bytes of a mail; larger ones are refused on arrival."""
MAX_HEADER_BYTES = 64 * 1024
MAX_CONTENT_HEADER_BYTES = 2 * 1024
MAX_LINES = 50_000
MAX_BOUNDARY_LINES = 1_000
MAX_NESTING = 20
"""Maximum parts that can contain parts, and so the maximum depth."""

_CONTENT = re.compile(rb"^content-[a-z-]{1,30}:[^\n]*(?:\n[ \t][^\n]*)*", re.IGNORECASE | re.MULTILINE)
_CONTAINER_TYPE = re.compile(rb"content-type:\s*(?:multipart|message)/", re.IGNORECASE)


def refusal(raw: bytes) -> str | None:
    """Return why a mail must not be parsed, or None; `raw` has LF line ends."""
    contents = _CONTENT.findall(raw)
    longest = max(map(len, contents), default=0)
    nested = sum(_CONTAINER_TYPE.match(header) is not None for header in contents)
    checks = (
        (len(raw), MAX_MAIL_BYTES, "the mail is larger than 1 MiB"),
        (len(header_block(raw)), MAX_HEADER_BYTES, "its headers are longer than 64 kB"),
        (raw.count(b"\n"), MAX_LINES, "it has more than 50,000 lines"),
        (raw.count(b"\n--"), MAX_BOUNDARY_LINES, "it has more than 1,000 boundary lines"),
        (longest, MAX_CONTENT_HEADER_BYTES, "a header about its content is longer than 2 kB"),
        (nested, MAX_NESTING, "it has more than 20 parts of parts"),
    )
    return next((reason for found, most, reason in checks if found > most), None)


def parse_within_limits(raw: bytes) -> Message:
    """Parse a mail; one that exceeds a limit, or that the standard parser fails on, has headers only."""
    block = header_block(raw)
    raw = normalize_names(block) + raw[len(block) :]
    if not refusal(raw):
        try:
            return BytesParser(policy=compat32).parsebytes(raw)
        except (TypeError, ValueError, LookupError):
            # The standard parser raises on some parameters of multipart: `boundary*=a; boundary*0=b`.
            pass
    headers = BytesHeaderParser(policy=compat32).parsebytes(header_block(raw[:MAX_HEADER_BYTES]))
    # The parser takes everything after a line that is no header for the body.
    headers.set_payload("")
    return headers


def header_block(raw: bytes) -> bytes:
    """Return the headers, up to the first empty line; `raw` has LF line ends."""
    return b"" if raw.startswith(b"\n") else raw.partition(b"\n\n")[0]


def normalize_newlines(raw: bytes) -> bytes:
    """Convert every line end to LF: CRLF, and the lone CR, at which the standard parser also ends lines."""
    return raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
