"""Saying things in the language of whoever reads them: every sentence for people goes through here.

Sentences stand in the code in English; the others are in `pbem/locale`, a folder of catalogs a language. Who speaks to
somebody says in which language with `speaking`; nobody else need know.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

if TYPE_CHECKING:
    from collections.abc import Iterator

    from babel.messages.catalog import Catalog

    from pbem.games import GameError

LANGUAGES = {"en": "English", "de": "Deutsch"}
"""The languages that the service speaks, each by its own name; the first is what all sentences are written in."""
CATALOGS = Path(__file__).parent / "locale"

_language: ContextVar[str] = ContextVar("language", default="en")


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Speak a language within the block; one that is not known here is English."""
    before = _language.set(language if language in LANGUAGES else "en")
    try:
        yield
    finally:
        _language.reset(before)


def spoken() -> str:
    """Give the language that is spoken now."""
    return _language.get()


def _(pattern: str, /, **parts: object) -> str:
    """Say a sentence; `{name}` in it stands for the part of that name."""
    text = _catalog(spoken()).gettext(pattern)
    return text.format(**parts) if parts else text


def several(one: str, many: str, count: int, /, **parts: object) -> str:
    """Say a sentence about so many things; `{count}` in it is how many, `{number}` the same in a word."""
    text = _catalog(spoken()).ngettext(one, many, count)
    return text.format(**{"count": count, "number": numeral(count), **parts})


def meaning(context: str, word: str, /, **parts: object) -> str:
    """Say a word that has several meanings, as it is meant in this context."""
    text = _catalog(spoken()).pgettext(context, word)
    return text.format(**parts) if parts else text


def numeral(count: int) -> str:
    """Say how many, a small number as a word: "no", "two", "14"."""
    # None, then one and so on.
    small = _("no, one, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve").split(", ")
    return small[count] if count < len(small) else str(count)


def marked(pattern: str) -> str:
    """Mark a sentence of a table made at import, so that catalogs hold it; it is said with `_` later."""
    return pattern


def refusal(error: GameError) -> str:
    """Say why a game refuses something."""
    return error.phrase.said(_)


@cache
def _catalog(language: str) -> NullTranslations:
    """Read a language's catalogs, one for each room of the service."""
    found = NullTranslations()
    for path in sorted((CATALOGS / language).glob("*.po")):
        with path.open("rb") as file:
            catalog = _compiled(read_po(file, locale=language))
        catalog.add_fallback(found)
        found = catalog
    return found


def _compiled(catalog: Catalog) -> GNUTranslations:
    compiled = BytesIO()
    write_mo(compiled, catalog)
    compiled.seek(0)
    return GNUTranslations(compiled)
