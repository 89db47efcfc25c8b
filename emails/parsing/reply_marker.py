"""The reply marker: the line at the top of a mail above which replies are written, also recognised when quoted.

It may contain a nonce of the mail, `--- Reply above this line · #3k9f2a ---`, which ties a quoted mail to its turn.
Whatever is below a marker is quoted, whatever its nonce. Below a marker with a quote sign, unquoted lines may be a
reply: some mail programs quote the whole mail first.
"""

from __future__ import annotations

import re

from emails.parsing.languages import LANGUAGES, word_pattern

DEFAULT_WORDS = LANGUAGES["en"]["marker"][0]
_MARKER_PATTERN = re.compile(rf"{word_pattern('marker')}|-{{2,3}}\s.{{9,80}}\s#[0-9a-z]{{6}}\s-{{2,3}}", re.IGNORECASE)
QUOTE_SIGNS = (">", "＞", "&gt;")  # noqa: RUF001 (some mailers write it)
_MAX_MARKER_LINES = 3
"""Maximum lines that a quoted marker is broken into."""
_MAX_GAP = 10
"""Maximum blanks between two columns of a board."""


def marker(nonce: str = "", words: str = DEFAULT_WORDS) -> str:
    """Format the marker line; the nonce is six letters and digits, or empty."""
    return f"--- {words} · #{nonce} ---" if nonce else f"--- {words} ---"


def is_marker(line: str) -> bool:
    """Return whether a line is an unquoted marker, in any language."""
    return line.startswith("--- ") and line.endswith(" ---") and _MARKER_PATTERN.search(line) is not None


def lines_above(lines: list[str]) -> list[str]:
    """Return the lines above the first marker, however it is quoted and wrapped, and any text before it on its line."""
    at, before = _find_marker(lines)
    return [*lines[:at], before.rstrip(" \t-–—_*")] if at < len(lines) else lines


def lines_below(lines: list[str]) -> list[str]:
    """Return the lines below the first marker if it is quoted, up to the next marker, else nothing.

    Some mail programs wrap quoted lines, so that the rest of one has no quote sign. A rest begins with a word that did
    not fit into the line above; these lines are left out.
    """
    at, _ = _find_marker(lines)
    if not _is_quoted("".join(lines[at : at + 1])):
        return []
    # Lines of one word are not wrapped, however long.
    texts = [line for line in lines[at:] if _is_quoted(line) and len(line.lstrip("> ").split()) > 1]
    width = max(map(len, texts), default=0)
    kept: list[str] = []
    previous = lines[at]
    for line in lines[at + 1 :]:
        quoted = _is_quoted(line)
        is_rest = previous and line and not quoted and _fills_line(previous, line, width)
        if not is_rest:
            kept.append(">" if quoted else line)
        previous = line if is_rest or quoted else ""
    return lines_above(kept)


def _find_marker(lines: list[str]) -> tuple[int, str]:
    """Return the index of the first line with a marker, len(lines) if there is none, and unquoted text before it."""
    for at in range(len(lines)):
        window = [line.lstrip("> \t|*") for line in lines[at : at + _MAX_MARKER_LINES]]
        found = _MARKER_PATTERN.search(" ".join(window))
        if found and found.start() < len(window[0]):
            return at, "" if _is_quoted(lines[at]) else window[0][: found.start()]
    return len(lines), ""


def _fills_line(line: str, rest: str, width: int) -> bool:
    """Return whether the first word of a rest would not have fitted into the line above."""
    # Boards are aligned by blanks, which a program drops where it breaks a line.
    gap = _MAX_GAP if "  " in line.lstrip("> ") else 1
    return len(line) + gap + len(rest.split(maxsplit=1)[0]) > width


def _is_quoted(line: str) -> bool:
    return line.startswith(QUOTE_SIGNS)


MARKER = marker()
"""The marker without a nonce."""
