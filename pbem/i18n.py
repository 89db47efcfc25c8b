"""Translations: every sentence for people goes through here.

Sentences in the code are English; the translations are in `pbem/locale`, one folder of catalogs per language, which
`make words` compiles. The caller that addresses a person sets the language with a `with` block; no code below it needs
to know.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache
from gettext import NullTranslations, translation
from pathlib import Path
from typing import TYPE_CHECKING

from babel import Locale

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.games import GameError

LANGUAGES = {"en": "English", "de": "Deutsch"}
"""Supported languages, each by its own name; the first is the language of the sentences in the code."""
SOURCE_LANGUAGE = next(iter(LANGUAGES))
CATALOGS = Path(__file__).parent / "locale"
DOMAIN = "pbem"
"""Name of the compiled catalogs."""

_language: ContextVar[str] = ContextVar("language", default=SOURCE_LANGUAGE)


@contextmanager
def use_locale(language: str) -> Iterator[None]:
    """Use a language within the block; English if it is unknown."""
    before = _language.set(language if language in LANGUAGES else SOURCE_LANGUAGE)
    try:
        yield
    finally:
        _language.reset(before)


def current_locale() -> str:
    """Return the current language."""
    return _language.get()


def babel_locale() -> Locale:
    """Return the current language as Babel's functions take it."""
    return _babel_locale(current_locale())


def _(pattern: str, /, **parts: object) -> str:
    """Translate a sentence; `{name}` in it stands for the part of that name."""
    text = _gettext(_language.get(), pattern)
    return text.format(**parts) if parts else text


def several(one: str, many: str, count: int, /, **parts: object) -> str:
    """Translate a sentence with a plural; `{count}` in it is the number, `{number}` the same as a word."""
    text = _ngettext(_language.get(), one, many, count)
    return text.format(**{"count": count, "number": numeral(count), **parts})


def meaning(context: str, word: str, /, **parts: object) -> str:
    """Translate a word that has several meanings, in the meaning of this context."""
    text = _pgettext(_language.get(), context, word)
    return text.format(**parts) if parts else text


def numeral(count: int) -> str:
    """Return a number in words if it is small: "no", "two", "14"."""
    # The numbers from zero to twelve, in order.
    small = _("no, one, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve")
    return _numeral(small, count)


def marked(pattern: str) -> str:
    """Mark a sentence for the catalogs where it is defined at import; it is translated with `_` later."""
    return pattern


def refusal_text(error: GameError) -> str:
    """Return the reason why a game refuses something, translated."""
    return error.phrase.text(_)


@lru_cache(maxsize=256)
def _numeral(small: str, count: int) -> str:
    words = small.split(", ")
    return words[count] if count < len(words) else str(count)


@cache
def _babel_locale(language: str) -> Locale:
    """Parse a language; Babel would do so for each date."""
    return Locale.parse(language)


@cache
def _catalog(language: str) -> NullTranslations:
    """Load the compiled catalog of a language; the sentences in the code need none."""
    return translation(DOMAIN, CATALOGS, [language], fallback=language == SOURCE_LANGUAGE)


# A board takes a hundred look-ups; a catalog takes three times as long for one as these.
@lru_cache(maxsize=8192)
def _gettext(language: str, pattern: str) -> str:
    return _catalog(language).gettext(pattern)


@lru_cache(maxsize=2048)
def _ngettext(language: str, one: str, many: str, count: int) -> str:
    return _catalog(language).ngettext(one, many, count)


@lru_cache(maxsize=2048)
def _pgettext(language: str, context: str, word: str) -> str:
    return _catalog(language).pgettext(context, word)
