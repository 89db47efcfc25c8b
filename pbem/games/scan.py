"""Taking a text apart: words, values in quotes and JSON, with comments in braces or behind a semicolon passed over."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_blanks = re.compile(r"(?:\s|\{[^}]*\}|;[^\r\n]*)*").match
_spaces = re.compile(r"\s*").match
_words = re.compile(r"[^\s\"@{}\[\];=]+").match
_words_of_moves = re.compile(r"[^\s\"@{}()\[\];]+").match
_decode = json.JSONDecoder().raw_decode


class Scan:
    """Walks through a text; whatever does not stand where it belongs raises ValueError."""

    __slots__ = ("_at", "_text")

    def __init__(self, text: str, at: int = 0) -> None:
        self._text = text
        self._at = at

    def line(self) -> int:
        """Tell in which line the walk has come to, counted from 1."""
        return self._text.count("\n", 0, self._at) + 1

    def peek(self) -> str:
        """Pass over blanks and comments, and give the next letter, or nothing at the end."""
        self._at = self._passed(_blanks)
        return self._text[self._at : self._at + 1]

    def literally(self, expected: str) -> None:
        """Pass over what has to stand here."""
        self.peek()
        if not self._text.startswith(expected, self._at):
            raise ValueError(f"“{expected}” is missing")
        self._at += len(expected)

    def word(self) -> str:
        """Take a word."""
        return self._taken(_words)

    def word_of_move(self) -> str:
        """Take a word of a move, in which more may stand."""
        return self._taken(_words_of_moves)

    def value(self) -> str:
        """Take a text in quotes, or a word."""
        return str(self.json()) if self.peek() == '"' else self.word()

    def json(self) -> Any:
        """Take whatever JSON stands here; before it there may be blanks only, since objects look like comments."""
        self._at = self._passed(_spaces)
        try:
            value, self._at = _decode(self._text, self._at)
        except json.JSONDecodeError:
            raise ValueError("what stands here in quotes, or as a value, is not whole") from None
        return value

    def until(self, end: str, take: Callable[[], str]) -> Iterator[str]:
        """Take one after the other until a letter comes, or the text ends."""
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
