"""Lines of private notes among those that were typed: they are taken out before anything else is read.

A note goes on to the next blank line, or to a move: what follows it in its paragraph, such as the rest of a line that a
mail program has wrapped, is never sent to the other players.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.games import typed_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

NOTE, NOTES = "note", "notes"
"""The commands: to write one, and to get them all by mail."""
WORDS: Mapping[str, tuple[str, ...]] = {"en": ("note",), "de": ("notiz",)}
"""The words that begin a note, by language."""

_WORDS = frozenset(word for words in WORDS.values() for word in words)
_MARKS = " \t-–—•·*"


def may_contain_note(lines: Sequence[str]) -> bool:
    """Return whether any line begins like a note, a cheap check without the game."""
    return any(_text_of(line) is not None for line in lines)


def split(lines: Sequence[str], starts_move: Callable[[Sequence[str]], bool]) -> tuple[list[str], list[str]]:
    """Split lines into the texts of notes and all other lines, which keep their places."""
    notes: list[list[str]] = []
    others: list[str] = []
    is_open = False
    for at, line in enumerate(lines):
        begins = _text_of(line)
        is_open = begins is not None or (is_open and bool(line.strip()) and not starts_move(lines[at:]))
        if begins is not None:
            notes.append([begins])
        elif is_open:
            notes[-1].append(line.strip())
        others.append("" if is_open else line)
    texts = ("\n".join(filter(None, note)) for note in notes)
    return [text for text in texts if text], others


def leave_out(lines: Sequence[str]) -> list[str]:
    """Return lines without private notes, each up to the next blank line."""
    return split(lines, lambda _lines: False)[1]


def _text_of(line: str) -> str | None:
    """Return the text after the word with which a line begins a note, or None if it begins none."""
    word, _space, text = line.lstrip(_MARKS).replace("\u00a0", " ").partition(" ")
    front, colon, rest = word.partition(":")
    folded = typed_text.fold(front).casefold().rstrip(",;")
    return f"{rest} {text}".strip() if folded in _WORDS and (colon or not rest) else None
