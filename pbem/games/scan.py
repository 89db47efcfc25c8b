"""Scanner of words, quoted values and JSON that skips comments in braces or after a semicolon."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_match_blanks = re.compile(r"(?:\s|\{[^}]*\}|;[^\r\n]*)*").match
_match_spaces = re.compile(r"\s*").match
_match_word = re.compile(r"[^\s\"@{}\[\];=]+").match
_match_move_word = re.compile(r"[^\s\"@{}()\[\];]+").match
_decode = json.JSONDecoder().raw_decode


class Scanner:
    """Scanner of a text; anything unexpected raises ValueError."""

    __slots__ = ("_at", "_text")

    def __init__(self, text: str, at: int = 0) -> None:
        self._text = text
        self._at = at

    def line(self) -> int:
        """Return the current line, counted from 1."""
        return self._text.count("\n", 0, self._at) + 1

    def peek(self) -> str:
        """Skip blanks and comments, and return the next letter, or an empty text at the end."""
        self._at = self._passed(_match_blanks)
        return self._text[self._at : self._at + 1]

    def literally(self, expected: str) -> None:
        """Skip an expected text."""
        self.peek()
        if not self._text.startswith(expected, self._at):
            raise ValueError(f"“{expected}” is missing")
        self._at += len(expected)

    def word(self) -> str:
        """Read a word."""
        return self._taken(_match_word)

    def word_of_move(self) -> str:
        """Read a word of a move, which may hold more characters."""
        return self._taken(_match_move_word)

    def value(self) -> str:
        """Read a text in quotes, or a word."""
        return str(self.json()) if self.peek() == '"' else self.word()

    def json(self) -> Any:
        """Read a JSON value; only blanks may precede it, since objects look like comments."""
        self._at = self._passed(_match_spaces)
        try:
            value, self._at = _decode(self._text, self._at)
        except json.JSONDecodeError:
            raise ValueError("a quoted text or a value is not complete") from None
        return value

    def until(self, end: str, take: Callable[[], str]) -> Iterator[str]:
        """Yield one item after the other until a letter comes, or the text ends."""
        while self.peek() not in (end, ""):
            yield take()

    def _passed(self, matched: Callable[[str, int], re.Match[str] | None]) -> int:
        found = matched(self._text, self._at)
        return found.end() if found else self._at

    def _taken(self, matched: Callable[[str, int], re.Match[str] | None]) -> str:
        self.peek()
        found = matched(self._text, self._at)
        if not found:
            raise ValueError("a word is missing" if self._at < len(self._text) else "it ends here")
        self._at = found.end()
        return found[0]
