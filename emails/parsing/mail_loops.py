"""Mail loops: a mail that too many machines have relayed is refused."""

from __future__ import annotations

import re

from emails.parsing.limits import header_block, normalize_newlines

MAX_HOPS = 50
"""Maximum `Received` headers; a mail with more is in a loop."""

_RECEIVED = re.compile(rb"^received:", re.IGNORECASE | re.MULTILINE)


def is_looping(raw: bytes) -> bool:
    """Return whether too many machines have relayed a mail."""
    return len(_RECEIVED.findall(header_block(normalize_newlines(raw)))) > MAX_HOPS
