"""Sentences and lists, broken so that no line can be mistaken for a move."""

from __future__ import annotations

import re
import textwrap
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

from pbem import i18n
from pbem.i18n import _

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

COLUMNS = 60
"""Maximum width of a board's text, in columns."""
SENTENCE_COLUMNS = 72
"""Maximum width of a line of sentences, in columns."""
NAME_LENGTH = 20

_GLUE = "\N{NO-BREAK SPACE}"
_CHANGED_BY_WRAPPING = re.compile(r"[\t-\r]")
"""Characters that wrapping replaces by spaces."""
_SIBILANT_ENDINGS = {"en": "s", "de": "sßxz"}
"""Endings after which the possessive takes no further s, by language."""


def clean_name(name: str, length: int = NAME_LENGTH) -> str:
    """Clean a person's name for a picture or a line: no control characters, single spaces, limited length."""
    line = _visible_letters(name) or _("Nobody")
    return line if len(line) <= length else line[: length - 1].rstrip() + "…"


@lru_cache(maxsize=1024)
def _visible_letters(text: str) -> str:
    """Return a text without control characters, its words with single spaces between them."""
    visible = (" " if unicodedata.category(letter).startswith("Z") or letter.isspace() else letter for letter in text)
    return " ".join("".join(letter for letter in visible if not unicodedata.category(letter).startswith("C")).split())


def capitalized(text: str) -> str:
    """Return a text with its first letter in upper case."""
    return text[:1].upper() + text[1:]


def series(items: Sequence[str]) -> str:
    """Join parts of a sentence: "a, b and c"."""
    *front, last = items or [""]
    return _("{first} and {last}", first=", ".join(front), last=last) if front else last


def possessive(name: str) -> str:
    """Return the possessive of a name."""
    hisses = name.endswith(tuple(_SIBILANT_ENDINGS.get(i18n.current_locale(), "")))
    return _("{name}’", name=name) if hisses else _("{name}’s", name=name)


def reader_name() -> str:
    """Return what the reader is called in place of their name."""
    return _("You")


def glued(*words: str) -> str:
    """Join words that must stay on one line: `paragraphs` does not break at their spaces."""
    return " ".join(words).replace(" ", _GLUE)


def wrap_sentences(sentences: Iterable[str], width: int = SENTENCE_COLUMNS) -> str:
    """Write each sentence on a line of its own, wrapped where it is too long."""
    lines = (line for sentence in sentences for line in _wrap(sentence, width))
    return unglued("\n".join(lines))


@lru_cache(maxsize=1024)
def _wrap(sentence: str, width: int) -> tuple[str, ...]:
    """Wrap a sentence; where only single spaces part its words, without `textwrap`, which takes three times as long."""
    words = sentence.split(" ")
    if not all(map(str.strip, words)) or len(max(words, key=len)) > width or _CHANGED_BY_WRAPPING.search(sentence):
        return tuple(textwrap.wrap(sentence, width, break_on_hyphens=False))
    lines, begin = list[str](), 0
    while len(sentence) - begin > width:
        end = sentence.rindex(" ", begin, begin + width + 1)
        lines.append(sentence[begin:end])
        begin = end + 1
    return (*lines, sentence[begin:])


def unglued(text: str) -> str:
    """Replace the glue between words by spaces again."""
    return text.replace(_GLUE, " ")


def format_list(lead: str, items: Iterable[str], width: int = COLUMNS, again: str | None = None) -> list[str]:
    """Format a list after its lead; each further line starts with a word, so that none is bare moves."""
    again = _("also ") if again is None else again
    lines, indent = [lead], " " * (len(lead) - len(again))
    for at, item in enumerate(items):
        comma = ", " if at and not lines[-1].endswith(again) else ""
        if at and len(lines[-1]) + len(comma) + len(item) >= width:
            lines[-1] += ","
            lines.append(indent + again)
            comma = ""
        lines[-1] += comma + item
    return [line.rstrip() for line in lines]
