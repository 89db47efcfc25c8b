"""Every sentence of the service stands in every catalog, with all its parts, and nothing else does."""

from __future__ import annotations

import re
from gettext import GNUTranslations
from io import BytesIO
from string import Formatter
from typing import TYPE_CHECKING

import pytest

from emails.parsing.languages import LANGUAGES as READER
from pbem.i18n import LANGUAGES, _, use_locale
from pbem.play.inbox import commands
from tests.catalogs import OTHERS, ROOMS, compiled, gathered, kept

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import IO

    from babel.messages.catalog import Message

QUOTED = re.compile(r"[“„]([^“”„{}]+)[”“]")
"""What is quoted: such words may be taught to those who answer mails."""

every_catalog = pytest.mark.parametrize(
    ("language", "room"), [(language, room.name) for language in OTHERS for room in ROOMS]
)


def said(message: Message) -> Iterator[tuple[str, str]]:
    """Yield each form of a sentence in English with what it is in the other language."""
    forms = message.id if isinstance(message.id, tuple) else (message.id,)
    others = message.string if isinstance(message.string, tuple) else (message.string,)
    for number, other in enumerate(others):
        yield str(forms[min(number, len(forms) - 1)]), str(other or "")


def parts(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def sentences(file: IO[bytes]) -> dict[object, str]:
    """Read what a compiled catalog says, without its head, which names the program that wrote it."""
    return {key: said for key, said in vars(GNUTranslations(file))["_catalog"].items() if key}


@every_catalog
def test_a_catalog_holds_what_its_room_says_and_nothing_else(language: str, room: str) -> None:
    now = {(one.context, one.id) for one in gathered()[room] if one.id}
    then = {(one.context, one.id) for one in kept(language, room) if one.id}
    assert not now - then, "missing: `make words` adds them"
    assert not then - now, "dead: `make words` takes them out"


@pytest.mark.parametrize("language", OTHERS)
def test_the_compiled_catalog_holds_what_the_catalogs_say(language: str) -> None:
    path, now = compiled(language)
    with path.open("rb") as file:
        assert sentences(file) == sentences(BytesIO(now)), "`make words` compiles them"


@every_catalog
def test_every_sentence_is_translated_with_all_its_parts(language: str, room: str) -> None:
    for message in kept(language, room):
        if message.id:
            assert not message.fuzzy, message.id
            for english, other in said(message):
                assert other, english
                # How many there are may go without saying where it is one.
                assert parts(english) - {"count"} <= parts(other) <= parts(english) | {"count"}, (english, other)


@every_catalog
def test_words_that_are_taught_are_known_as_the_same_commands(language: str, room: str) -> None:
    for message in kept(language, room):
        for english, other in said(message) if message.id else ():
            taught = [meant for text in QUOTED.findall(english) if (meant := commands.parse([text]))]
            known = [meant for text in QUOTED.findall(other) if (meant := commands.parse([text]))]
            wanted = [(one.command.name, one.confirmed, bool(one.text)) for one in taught]
            assert [(one.command.name, one.confirmed, bool(one.text)) for one in known] == wanted, (english, other)


def test_readers_of_replies_know_the_marker_of_every_language() -> None:
    for language in LANGUAGES:
        with use_locale(language):
            assert _("Reply above this line") in READER[language]["marker"]


@every_catalog
def test_a_translation_is_as_good_print_as_the_english(language: str, room: str) -> None:
    for message in kept(language, room):
        if message.id:
            for english, other in said(message):
                assert not {'"', "'"} & {*other} - {*english}, other
                assert "--" not in other
                assert (other.strip() == other) == (english.strip() == english), (english, other)
                if language == "de":
                    assert other.count("„") == other.count("“"), other
