"""The line that replies are written above: how a mail begins, and how a quoted one is known again.

It may name the mail by a nonce, `--- Reply above this line · #3k9f2a ---`, so that a quoted mail also tells
which turn it came from. What is below any marker is quoted, whatever its nonce.
"""

from __future__ import annotations

import re

WORDS = "Reply above this line"


def marker(nonce: str = "", words: str = WORDS) -> str:
    """Write the first line of a mail's text; the nonce is six letters and digits, or none."""
    return f"--- {words} · #{nonce} ---" if nonce else f"--- {words} ---"


def is_marker(line: str) -> bool:
    """Tell whether a line is a marker as it was written, in any language."""
    return _MARKER.fullmatch(line) is not None


MARKER = marker()
"""The marker of a mail that has no nonce."""

_MARKER = re.compile(r"--- .{9,80} ---")
