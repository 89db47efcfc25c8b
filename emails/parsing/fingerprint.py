"""A mail's fingerprint: the same mail by five ways, a hundred times over, is one mail."""

from __future__ import annotations

import hashlib
import re

from emails.parsing.limits import header_block, with_lf

_NAMES = (b"message-id", b"from", b"date")
_FOLD = re.compile(rb"\n[ \t]+")


def fingerprint(raw: bytes) -> bytes:
    r"""Know a mail again, whatever relays put in front of it: 32 bytes of SHA-256, for any bytes at all.

    All line ends (CRLF, lone CR) are first made LF. Hashed are these bytes, each <value> and <body> put in:

        b"message-id:<value>\nfrom:<value>\ndate:<value>\n\n<body>"

    A value is that of the first header of this name in the header block, as it stands: not decoded, each
    fold (a line end and the blanks after it) made one space, blanks at both ends removed; empty where
    there is none. The header block ends at the first empty line; the body is what follows, up to the end
    of the last line that holds more than blanks, without that line's LF. No other header counts.
    """
    raw = with_lf(raw)
    head = header_block(raw)
    values = dict.fromkeys(_NAMES, b"")
    for line in reversed(_FOLD.sub(b" ", head).split(b"\n")):
        name, colon, value = line.partition(b":")
        if colon and name.strip().lower() in values:
            values[name.strip().lower()] = value.strip()
    body = raw[len(head) + 2 :] if head else raw[1:]
    end = body.find(b"\n", len(body.rstrip(b" \t\n")))
    parts = [name + b":" + value + b"\n" for name, value in values.items()]
    return hashlib.sha256(b"".join(parts) + b"\n" + (body if end < 0 else body[:end])).digest()
