"""The line that replies are written above: how a mail begins, and how a quoted one is known again.

It may name the mail by a nonce, `--- Reply above this line · #3k9f2a ---`, so that a quoted mail also tells
which turn it came from. What is below any marker is quoted, whatever its nonce.
"""

from __future__ import annotations

import re

from emails.parsing.languages import LANGUAGES, words

WORDS = LANGUAGES["en"]["marker"][0]
_WORDS = re.compile(rf"{words('marker')}|-{{2,3}}\s.{{9,80}}\s#[0-9a-z]{{6}}\s-{{2,3}}", re.IGNORECASE)
QUOTE_SIGNS = (">", "＞", "&gt;")  # noqa: RUF001 (as some mailers write it)
_SPAN = 3
"""A quoted marker is broken into so many lines at the most."""


def marker(nonce: str = "", words: str = WORDS) -> str:
    """Write the first line of a mail's text; the nonce is six letters and digits, or none."""
    return f"--- {words} · #{nonce} ---" if nonce else f"--- {words} ---"


def is_marker(line: str) -> bool:
    """Tell whether a line is a marker as it was written, in any language."""
    return line.startswith("--- ") and line.endswith(" ---") and _WORDS.search(line) is not None


def above(lines: list[str]) -> list[str]:
    """Give the lines above the first marker, however it is quoted and wrapped, and what was typed in front of it."""
    for at in range(len(lines)):
        window = [line.lstrip("> \t|*") for line in lines[at : at + _SPAN]]
        found = _WORDS.search(" ".join(window))
        if found and found.start() < len(window[0]):
            before = "" if lines[at].startswith(QUOTE_SIGNS) else window[0][: found.start()]
            return [*lines[:at], before.rstrip(" \t-–—_*")]
    return lines


MARKER = marker()
"""The marker of a mail that has no nonce."""
