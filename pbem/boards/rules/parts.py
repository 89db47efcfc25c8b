"""Parts of a game's rules, written once for its page and its mail."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pbem.boards.drawing import Board, Names

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
