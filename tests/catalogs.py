"""Gathers sentences into catalogs and compiles them: `make words`, or for some rooms `python -m tests.catalogs ROOM …`.

`--smoke` writes nothing, and prints which catalogs would become others.
"""

from __future__ import annotations

import argparse
import ast
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from pbem.boards import card_words, pyramid_words
from pbem.boards.rules import CONTEXT, rules_for, texts
from pbem.games import GAMES, cards, pyramids
from pbem.i18n import CATALOGS, DOMAIN, LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    Said = tuple[str | None, Any]
    """A sentence, or both its numbers, with its context where it has one."""

ROOT = Path(__file__).parent.parent
ENGLISH, *OTHERS = LANGUAGES
SAYING: dict[str, Any] = {"_": None, "several": (1, 2), "meaning": ((1, "c"), 2), "marked": None}
REFUSING = ("GameError", "OptionError", "InvalidMove", "NeverMet", "IllegalMove", "Phrase")
"""What sentences for people are arguments of."""
TEMPLATES = {"trim_blocks": "true", "lstrip_blocks": "true"}
WIDTH = 110
EPOCH = datetime.fromtimestamp(0, UTC)
"""The date of every compiled catalog, so that the same sentences make the same file."""


@dataclass(frozen=True, slots=True)
class Room:
    """A part of the service whose sentences stand in one catalog: its files, and what it says beyond its code."""

    name: str
    files: tuple[str, ...]
    besides: Callable[[], Iterator[Said]] = lambda: iter(())


def pieces() -> Iterator[Said]:
    """Name all that games are played with."""
    names = (*map(cards.name, cards.DECK), *map(pyramids.name, pyramids.TREEHOUSE), *cards.SUIT_NAMES.values())
    yield from ((None, name) for name in (*names, "the vault"))


def pieces_in_sentences() -> Iterator[Said]:
    """Name them as drawings do."""
    yield from ((card_words.CONTEXT, name) for name in card_words.rank_names())
    yield from ((pyramid_words.CONTEXT, name) for name in pyramid_words.names())


def rules() -> Iterator[Said]:
    """Yield every text of our own games' rules; those that packages bring speak one language."""
    ours = [key for key, game in GAMES.items() if type(game).__module__.startswith("pbem.")]
    yield from ((CONTEXT, text) for key in ours for text in texts(rules_for(key)))


RULES = (
    "pbem/boards/rules/*.py",
    "pbem/boards/*/rules.py",
    "pbem/boards/*/examples.py",
    "emails/content/game_rules.py",
    "pbem/web/matches/rules.py",
    "pbem/web/templates/matches/rules.html",
)
LESSONS = (
    "pbem/boards/*/lesson.py",
    "pbem/play/lobby/lesson*.py",
    "pbem/play/inbox/commands/lessons.py",
    "emails/messages/lessons.py",
    "pbem/web/lobby/lessons.py",
    "pbem/web/templates/lobby/lesson*.html",
)
ROOMS = (
    Room("games", ("pbem/games/**/*.py",), pieces),
    Room(
        "table",
        (
            "pbem/i18n.py",
            "pbem/time_format.py",
            "pbem/play/**/*.py",
            "emails/**/*.py",
            "pbem/boards/prose.py",
        ),
    ),
    Room("pages", ("pbem/web/**/*.py", "pbem/web/templates/**/*.html")),
    Room("boards", ("pbem/boards/**/*.py",), pieces_in_sentences),
    Room("rules", RULES, rules),
    Room("lessons", LESSONS),
    Room("replay", ("pbem/records/page/*.py", "pbem/records/page/templates/*.html")),
)
"""All rooms; a sentence that several say stands in the catalog of the first of them."""


@cache
def gathered() -> dict[str, Catalog]:
    """Find what every room says, each sentence in one room only."""
    found: dict[str, Catalog] = {}
    known: set[Any] = set()
    theirs = {path for pattern in (*RULES, *LESSONS) for path in ROOT.glob(pattern)}
    for room in ROOMS:
        catalog = found[room.name] = Catalog()
        for path in sorted({path for pattern in room.files for path in ROOT.glob(pattern)}):
            if room.name in {"rules", "lessons"} or path not in theirs:
                for context, message in said_in(path):
                    if (context, message) not in known:
                        catalog.add(message, context=context, locations=[(path.relative_to(ROOT).as_posix(), 0)])
        for context, text in room.besides():
            if (context, text) not in known:
                catalog.add(text, context=context)
        known |= {(message.context, message.id) for message in catalog if message.id}
    return found


def said_in(path: Path) -> Iterator[Said]:
    """Find the sentences of a file, each with its context, where it has one."""
    if path.suffix == ".html":
        for _, message, _, context in extract("jinja2", BytesIO(path.read_bytes()), SAYING, (), TEMPLATES):
            yield context, message
        return
    refusing = REFUSING if {"games", "play"} & set(path.relative_to(ROOT).parts) else ()
    calls = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]
    for call in sorted(calls, key=lambda node: (node.lineno, node.col_offset)):
        name = getattr(call.func, "id", getattr(call.func, "attr", ""))
        said = [part.value for part in call.args if isinstance(part, ast.Constant)]
        if name in {"_", "marked", *refusing} and said:
            yield None, said[0]
        elif name == "deed_sentence" and len(said) > 1:
            yield from ((None, sentence) for sentence in said[:2])
        elif name in {"several", "meaning"} and len(said) > 1:
            yield (None, (said[0], said[1])) if name == "several" else (str(said[0]), said[1])


def kept(language: str, room: str) -> Catalog:
    """Read a catalog as it stands."""
    path = CATALOGS / language / f"{room}.po"
    if not path.exists():
        return Catalog(locale=language, header_comment="")
    with path.open("rb") as file:
        return read_po(file, locale=language)


def updated(language: str, rooms: Collection[str]) -> Iterator[tuple[Path, bytes]]:
    """Bring the catalogs of some rooms up to date: new sentences are added, untranslated, and dead ones taken out."""
    old = {room.name: kept(language, room.name) for room in ROOMS}
    said = {(one.context, one.id): one.string for catalog in old.values() for one in catalog if one.id and one.string}
    for room in (room for room in ROOMS if room.name in rooms):
        new = Catalog(locale=language)
        for message in gathered()[room.name]:
            if message.id:
                string = said.get((message.context, message.id), "")
                new.add(message.id, string, locations=message.locations, context=message.context)
        written = BytesIO()
        write_po(written, new, width=WIDTH, include_lineno=False, omit_header=True)
        path = CATALOGS / language / f"{room.name}.po"
        yield path, head(language, old[room.name]) + written.getvalue().rstrip() + b"\n"


def head(language: str, catalog: Catalog) -> bytes:
    """Write a catalog's head: its comment as it was, and what readers of the format need."""
    lines = [
        *catalog.header_comment.splitlines(),
        'msgid ""',
        'msgstr ""',
        f'"Language: {language}\\n"',
        '"Content-Type: text/plain; charset=utf-8\\n"',
        f'"Plural-Forms: {Catalog(locale=language).plural_forms}\\n"',
    ]
    return ("\n".join(lines) + "\n\n").encode()


def compiled(language: str, folder: Path = CATALOGS) -> tuple[Path, bytes]:
    """Compile the catalogs of a language into one, which the service reads; of equal sentences, the last one counts."""
    merged = Catalog(locale=language, project=DOMAIN, version="1", creation_date=EPOCH, revision_date=EPOCH)
    for path in sorted((folder / language).glob("*.po"), reverse=True):
        with path.open("rb") as file:
            for message in read_po(file, locale=language):
                if message.id:
                    merged.add(message.id, message.string, context=message.context)
    written = BytesIO()
    write_mo(written, merged)
    return folder / language / "LC_MESSAGES" / f"{DOMAIN}.mo", written.getvalue()


def main() -> None:
    """Write the catalogs, or print which would become others."""
    names = [room.name for room in ROOMS]
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("rooms", nargs="*", metavar="ROOM", help=f"one of {', '.join(names)}")
    options.add_argument("--smoke", action="store_true", help="write nothing")
    wanted = options.parse_args()
    for language in OTHERS:
        for path, catalog in updated(language, wanted.rooms or names):
            write(path, catalog, dry=wanted.smoke)
        write(*compiled(language), dry=wanted.smoke)


def write(path: Path, catalog: bytes, *, dry: bool) -> None:
    """Write a catalog, or print that it would become another."""
    if not dry:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(catalog)
    elif not path.exists() or path.read_bytes() != catalog:
        sys.stdout.write(f"{path.relative_to(CATALOGS)} would become another\n")


if __name__ == "__main__":
    main()
