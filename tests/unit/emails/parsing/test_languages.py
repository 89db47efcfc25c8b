"""The table of languages: what each may say, and that the reader speaks enough of them."""

from __future__ import annotations

import re

import pytest

from emails.parsing.languages import LANGUAGES, word_pattern
from tests.support.emails.parsing.quotes import cut

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
    pattern = re.compile(word_pattern(kind), re.IGNORECASE)
    for language in LANGUAGES.values():
        for word in language.get(kind, ()):
            assert pattern.match(word.replace("…", " some words ").capitalize()), word
            assert pattern.match(word.replace(" ", "  ")), word


def each(kind: str) -> list[str]:
    """Return each word of a kind, with something in its gaps."""
    return sorted({word.replace("…", " iPhone ") for language in LANGUAGES.values() for word in language.get(kind, ())})


@pytest.mark.parametrize("verb", each("wrote"))
def test_each_verb_introduces_what_is_quoted(verb: str) -> None:
    assert cut(f"take 7\n21.11.2026, 9:12, Gil <gil@x.example> {verb}:\n\n> take 1") == ("take 7",)
    assert cut(f"take 7\n\nGil Roth <gil@x.example> {verb}:\ntake 1") == ("take 7",)


@pytest.mark.parametrize("word", each("on"))
def test_each_word_opens_an_introduction(word: str) -> None:
    assert cut(f"take 7 {word} 21 Nov 2026 9:12, Gil wrote:\n> take 1") == ("take 7",)
    assert cut(f"{word} d4\n\n{word} Nov 21,\n2026 9:12 Gil wrote:\n> take 1") == (f"{word} d4",)


@pytest.mark.parametrize("label", each("from"))
def test_each_label_of_a_sender_begins_copied_headers(label: str) -> None:
    for colon in (":", " :", "："):  # noqa: RUF001 (as it is written in China)
        block = f"{label}{colon} Roth, Gil\nX{colon} 21.11.2026 09:12\nY{colon} Anna\nZ{colon} Turn"
        assert cut(f"take 7\n\n{block}\n\ntake 1") == ("take 7",)
        assert cut(f"{label}{colon} e2\n\n{block}\n\ntake 1")[0] == f"{label}{colon} e2"


@pytest.mark.parametrize("phrase", each("phone"))
def test_each_signature_of_a_phone_ends_what_was_typed(phrase: str) -> None:
    assert cut(f"take 7\n\n{phrase} iPhone\ntake 1") == ("take 7",)
    assert cut(f"{phrase} iPhone\n\n> take 1") == ()


@pytest.mark.parametrize("phrase", each("message"))
def test_each_word_for_a_mail_names_one_between_dashes(phrase: str) -> None:
    assert cut(f"take 7\n--- {phrase} ---\ntake 1") == ("take 7",)


@pytest.mark.parametrize("phrase", each("forwarded"))
def test_each_line_above_a_forwarded_mail_ends_what_was_typed(phrase: str) -> None:
    assert cut(f"take 7\n{phrase}:\ntake 1") == ("take 7",)


@pytest.mark.parametrize("phrase", each("warning"))
def test_each_warning_of_a_gateway_goes(phrase: str) -> None:
    assert cut(f"{phrase}.\n\ntake 7") == ("take 7",)
