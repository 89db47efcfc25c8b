"""The table of languages: what each may say, and that the reader speaks enough of them."""

from __future__ import annotations

import re

import pytest

from emails.languages import LANGUAGES, words

KINDS = {
    "marker", "wrote", "on", "quoting", "from", "message", "forwarded", "phone", "warning", "away", "returned", "re",
}  # fmt: skip
ENOUGH = 14


def test_each_language_has_words_of_known_kinds() -> None:
    assert {kind for language in LANGUAGES.values() for kind in language} == KINDS
    assert all(word.strip() for language in LANGUAGES.values() for kind in language.values() for word in kind)


@pytest.mark.parametrize("kind", ["wrote", "from", "message", "phone", "away"])
def test_the_reader_speaks_many_languages(kind: str) -> None:
    assert sum(kind in language for language in LANGUAGES.values()) >= ENOUGH


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_each_word_is_matched_by_the_pattern_of_its_kind(kind: str) -> None:
    pattern = re.compile(words(kind), re.IGNORECASE)
    for language in LANGUAGES.values():
        for word in language.get(kind, ()):
            assert pattern.match(word.replace("…", " some words ").capitalize()), word
            assert pattern.match(word.replace(" ", "  ")), word
