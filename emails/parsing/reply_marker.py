"""The reply marker: the line at the top of a mail above which replies are written, also recognised when quoted.

It may contain a nonce of the mail, `--- Reply above this line · #3k9f2a ---`, which ties a quoted mail to its turn.
Whatever is below any marker is quoted, whatever its nonce.
"""

from __future__ import annotations

import re

from emails.parsing.languages import LANGUAGES, word_pattern

DEFAULT_WORDS = LANGUAGES["en"]["marker"][0]
_MARKER_PATTERN = re.compile(rf"{word_pattern('marker')}|-{{2,3}}\s.{{9,80}}\s#[0-9a-z]{{6}}\s-{{2,3}}", re.IGNORECASE)
QUOTE_SIGNS = (">", "＞", "&gt;")  # noqa: RUF001 (some mailers write it)
_MAX_MARKER_LINES = 3
"""Maximum lines that a quoted marker is broken into."""


def marker(nonce: str = "", words: str = DEFAULT_WORDS) -> str:
    """Format the marker line; the nonce is six letters and digits, or empty."""
    return f"--- {words} · #{nonce} ---" if nonce else f"--- {words} ---"


def is_marker(line: str) -> bool:
    """Return whether a line is an unquoted marker, in any language."""
    return line.startswith("--- ") and line.endswith(" ---") and _MARKER_PATTERN.search(line) is not None


def lines_above(lines: list[str]) -> list[str]:
    """Return the lines above the first marker, however it is quoted and wrapped, and any text before it on its line."""
    for at in range(len(lines)):
        window = [line.lstrip("> \t|*") for line in lines[at : at + _MAX_MARKER_LINES]]
        found = _MARKER_PATTERN.search(" ".join(window))
        if found and found.start() < len(window[0]):
            before = "" if lines[at].startswith(QUOTE_SIGNS) else window[0][: found.start()]
            return [*lines[:at], before.rstrip(" \t-–—_*")]
    return lines


MARKER = marker()
"""The marker without a nonce."""
