"""Every sentence in the language of whoever reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pbem import i18n
from pbem.games import IllegalMove, Phrase
from pbem.games.errors import any_of
from pbem.i18n import _, meaning, refusal_text, several, use_locale
from tests.catalogs import compiled

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PO = """
msgid ""
msgstr ""
"Content-Type: text/plain; charset=utf-8\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

msgid "It is {name}’s turn."
msgstr "{name} ist am Zug."

msgid "{count} move"
msgid_plural "{count} moves"
msgstr[0] "{count} Zug"
msgstr[1] "{count} Züge"

msgid "{first} or {last}"
msgstr "{first} oder {last}"

msgid "You may take {things}: {why}"
msgstr "Du darfst {things} nehmen: {why}"

msgid "it is late."
msgstr "es ist spät."

msgctxt "of a card"
msgid "suit"
msgstr "Farbe"
"""


@pytest.fixture
def catalogs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    (tmp_path / "de").mkdir()
    (tmp_path / "de" / "table.po").write_text(PO)
    (tmp_path / "de" / "other.po").write_text(PO.replace("It is", "Was it").replace("ist", "war"))
    path, catalog = compiled("de", tmp_path)
    path.parent.mkdir()
    path.write_bytes(catalog)
    monkeypatch.setattr(i18n, "CATALOGS", tmp_path)
    forget_catalogs()
    yield
    forget_catalogs()


def forget_catalogs() -> None:
    for kept in (i18n._catalog, i18n._gettext, i18n._ngettext, i18n._pgettext):
        kept.cache_clear()


@pytest.mark.usefixtures("catalogs")
def test_sentences_are_said_in_the_language_that_is_spoken() -> None:
    assert _("It is {name}’s turn.", name="Ann") == "It is Ann’s turn."
    with use_locale("de"):
        assert _("It is {name}’s turn.", name="Ann") == "Ann ist am Zug."
        assert _("Was it {name}’s turn.", name="Ann") == "Ann war am Zug."
        assert several("{count} move", "{count} moves", 1) == "1 Zug"
        assert several("{count} move", "{count} moves", 3) == "3 Züge"
        assert meaning("of a card", "suit") == "Farbe"
        assert refusal_text(IllegalMove("It is {name}’s turn.", name="Bob")) == "Bob ist am Zug."
    assert several("{count} move", "{count} moves", 2) == "2 moves"


@pytest.mark.usefixtures("catalogs")
def test_the_parts_of_a_refusal_are_said_in_that_language_too() -> None:
    why = Phrase("it is late.")
    error = IllegalMove("You may take {things}: {why}", things=any_of(["a", "b", "c"]), why=why)
    assert str(error) == refusal_text(error) == "You may take a, b or c: it is late."
    assert str(error.parts["things"]) == "a, b or c"
    with use_locale("de"):
        assert refusal_text(error) == "Du darfst a, b oder c nehmen: es ist spät."
        assert any_of(["a"]) == "a"


@pytest.mark.usefixtures("catalogs")
def test_what_no_catalog_holds_is_said_in_english() -> None:
    with use_locale("de"):
        assert _("Nobody translated this.") == "Nobody translated this."
        assert refusal_text(IllegalMove("Nor {this}", this="that")) == "Nor that"


def test_a_language_that_nobody_speaks_here_is_english() -> None:
    with use_locale("tlh"):
        assert i18n.current_locale() == "en"


@pytest.mark.parametrize(
    "sentence",
    ["Table of the field", "The table of the field:", "The table of the league", "The table of the week"],
)
def test_a_table_of_standings_is_no_table_to_sit_at(sentence: str) -> None:
    with use_locale("de"):
        assert "Tabelle" in _(sentence)
