"""Sentences and lists that break where no line can be mistaken for a move."""

from __future__ import annotations

import re
import textwrap
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

from pbem import i18n
from pbem.i18n import _, numeral

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

COLUMNS = 60
"""How wide a board's text is at the most."""
SENTENCE_COLUMNS = 72
"""How wide a line of sentences is at the most."""
NAME_LENGTH = 20

_GLUE = "\N{NO-BREAK SPACE}"
_WRAPPED = re.compile(r"[\t-\r]|^\s|\s$")
"""Spaces that breaking changes also in what fits."""
_HISS = {"en": "s", "de": "sßxz"}
"""What a name ends with that takes no further s to say whose something is, by language."""


def shown(name: str, length: int = NAME_LENGTH) -> str:
    """Make a person's name fit for a picture or a line: no controls, single spaces, not too long."""
    visible = (" " if unicodedata.category(letter).startswith("Z") or letter.isspace() else letter for letter in name)
    clean = "".join(letter for letter in visible if not unicodedata.category(letter).startswith("C"))
    line = " ".join(clean.split()) or _("Nobody")
    return line if len(line) <= length else line[: length - 1].rstrip() + "…"


def counted(count: int, noun: str) -> str:
    """Say how many: "one point", "no points", "14 points"."""
    return f"{numeral(count)} {noun if count == 1 else f'{noun}s'}"


def series(items: Sequence[str]) -> str:
    """Join parts of a sentence: "a, b and c"."""
    *front, last = items or [""]
    return _("{first} and {last}", first=", ".join(front), last=last) if front else last


def possessive(name: str) -> str:
    """Say whose."""
    hisses = name.endswith(tuple(_HISS.get(i18n.current_locale(), "")))
    return _("{name}’", name=name) if hisses else _("{name}’s", name=name)


def you() -> str:
    """Say whom one speaks to, in the place of their name."""
    return _("You")


def glued(*words: str) -> str:
    """Join words that must stay on one line: `paragraphs` breaks none of their spaces."""
    return " ".join(words).replace(" ", _GLUE)


def paragraphs(sentences: Iterable[str], width: int = SENTENCE_COLUMNS) -> str:
    """Put each sentence on a line of its own, broken where it is too long."""
    lines = (line for sentence in sentences for line in _broken(sentence, width))
    return plain("\n".join(lines))


@lru_cache(maxsize=1024)
def _broken(sentence: str, width: int) -> tuple[str, ...]:
    if sentence and len(sentence) <= width and not _WRAPPED.search(sentence):
        # As it would be anyway, at a twentieth of the time; most are so short.
        return (sentence,)
    return tuple(textwrap.wrap(sentence, width, break_on_hyphens=False))


def plain(text: str) -> str:
    """Turn what glues words together back into spaces."""
    return text.replace(_GLUE, " ")


def listed(lead: str, items: Iterable[str], width: int = COLUMNS, again: str | None = None) -> list[str]:
    """Write a list after its lead; each further line starts with a word, so that none is bare moves."""
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
