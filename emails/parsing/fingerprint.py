"""Fingerprints of mails, by which copies of the same mail are recognised."""

from __future__ import annotations

import hashlib
import re

from emails.parsing.limits import header_block, normalize_newlines

_HASHED_HEADERS = (b"message-id", b"from", b"date")
_FOLD = re.compile(rb"\n[ \t]+")


def fingerprint(raw: bytes) -> bytes:
    r"""Return the fingerprint of a mail, which ignores headers added by relays: 32 bytes of SHA-256, for any bytes.

    All line ends (CRLF, lone CR) are first converted to LF. The hash covers these bytes, with each <value> and the
    <body> filled in:

        b"message-id:<value>\nfrom:<value>\ndate:<value>\n\n<body>"

    A value is that of the first header of this name in the header block, unchanged: not decoded, each fold (a line end
    and the blanks after it) replaced by one space, blanks at both ends removed; empty if there is no such header. The
    header block ends at the first empty line. The body is what follows, up to the end of the last line that is not
    blank, without that line's LF. No other header counts.
    """
    raw = normalize_newlines(raw)
    head = header_block(raw)
    values = dict.fromkeys(_HASHED_HEADERS, b"")
    for line in reversed(_FOLD.sub(b" ", head).split(b"\n")):
        name, colon, value = line.partition(b":")
        if colon and name.strip().lower() in values:
            values[name.strip().lower()] = value.strip()
    body = raw[len(head) + 2 :] if head else raw[1:]
    end = body.find(b"\n", len(body.rstrip(b" \t\n")))
    parts = [name + b":" + value + b"\n" for name, value in values.items()]
    return hashlib.sha256(b"".join(parts) + b"\n" + (body if end < 0 else body[:end])).digest()
