"""Parts of a game's rules, written once for its page and its mail, and their translation."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

from pbem.i18n import meaning

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from pbem.boards.drawing import Board, Names

CONTEXT = "rules"
"""Message context of these texts in catalogs; a short one, such as a table cell, may mean something else elsewhere."""
_WORD = re.compile(r"[a-z]{2}")
TYPED_MARK = "`"
"""Mark before and after text that a player might type; a page sets it apart, a mail quotes it."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table with a heading over each column; the first column says what its row is about."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Example:
    """A position to draw, as the seat `you` sees it, and its caption."""

    board: Board
    names: Names
    caption: str
    you: int | None = None


Part: TypeAlias = "str | tuple[str, ...] | Table | Example"
"""A paragraph, a list, a table or an example."""


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and the parts under it."""

    heading: str
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one game, in the service's own words."""

    game: str
    lead: str
    sections: tuple[Section, ...]
    options: Mapping[str, str] = field(default_factory=dict)
    """What each option changes, by its name."""
    house: tuple[str, ...] = ()
    """Decisions on the points that the published rules leave open."""
    designer: str = ""
    source: str = ""
    tagline: str = ""
    """What the players do, in one sentence for lists of games; without one, the lead stands there."""
    minutes: int | None = None
    """Minutes that a move takes a player, as far as the author can say."""

    @property
    def examples(self) -> tuple[Example, ...]:
        """List the examples of all sections."""
        return tuple(part for section in self.sections for part in section.parts if isinstance(part, Example))


def section(heading: str, *parts: Part) -> Section:
    """Return a section of the parts that follow its heading."""
    return Section(heading, parts)


def table(head: tuple[str, ...], *rows: tuple[str, ...]) -> Table:
    """Return a table of the rows that follow its head."""
    return Table(head, rows)


def split_runs(text: str) -> Iterator[tuple[str, bool]]:
    """Split a text into runs: plain text and, marked True, what a player might type."""
    for number, run in enumerate(text.split(TYPED_MARK)):
        if run:
            yield run, number % 2 == 1


def translated(rules: Rules) -> Rules:
    """Return a game's rules in the current language."""
    return _map_texts(rules, lambda text: meaning(CONTEXT, text))


def texts(rules: Rules) -> Iterator[str]:
    """List each text of a game's rules once, in order; numbers and single letters need no translation."""
    found: dict[str, str] = {}
    _map_texts(rules, lambda text: found.setdefault(text, text))
    return iter(found)


def _map_texts(rules: Rules, say: Callable[[str], str]) -> Rules:
    def one(text: str) -> str:
        return say(text) if _WORD.search(text) else text

    def several(lines: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(map(one, lines))

    def part(written: Part) -> Part:
        match written:
            case str():
                return one(written)
            case Table(head, rows):
                return Table(several(head), tuple(map(several, rows)))
            case Example():
                return replace(written, caption=one(written.caption))
            case _:
                return several(written)

    lead = one(rules.lead)
    sections = tuple(Section(one(section.heading), tuple(map(part, section.parts))) for section in rules.sections)
    options = {option: one(text) for option, text in rules.options.items()}
    house, designer, source = several(rules.house), one(rules.designer), one(rules.source)
    return replace(
        rules,
        lead=lead,
        sections=sections,
        options=options,
        house=house,
        designer=designer,
        source=source,
        tagline=one(rules.tagline),
    )
