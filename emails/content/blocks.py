"""What mails are made of: parts that are written both as text and as HTML, so that the two cannot disagree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class Say:
    """A paragraph; the first of a mail is also what inboxes show beside the subject."""

    text: str


@dataclass(frozen=True, slots=True)
class Tell:
    """Things that happened, one sentence each, under a heading."""

    heading: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Heading:
    """The name of what follows, in a mail that is long enough to need one."""

    text: str


@dataclass(frozen=True, slots=True)
class Points:
    """Sentences that belong together, one to a point."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Board:
    """The position: as text, in words for those who cannot see it, and as a picture, drawn where one is wanted."""

    text: str
    svg: Callable[[], str]
    words: str


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture that says nothing beyond the text, which goes without it; `words` are for those who cannot see it."""

    svg: Callable[[], str]
    words: str


@dataclass(frozen=True, slots=True)
class Choice:
    """A likely move: the page that shows what it would do, and a reply that plays it.

    `name` is what the move is called where that says more than itself, and `hint` what there is to say of it. By its
    `number` it may be answered: `#1` is the first of a mail's suggestions.
    """

    move: str
    url: str
    mailto: str
    name: str = ""
    hint: str = ""
    number: int = 0


@dataclass(frozen=True, slots=True)
class Choices:
    """Likely moves as buttons, and moves or their pieces in words where they can be listed."""

    heading: str
    likely: tuple[Choice, ...]
    listed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Meant:
    """The moves, as buttons, that somebody may have meant by what was refused."""

    likely: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class Button:
    """One thing to do on a page."""

    label: str
    url: str


@dataclass(frozen=True, slots=True)
class Small:
    """Small print, one line each: help and proof."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Links:
    """Small print that leads somewhere: what is there, and its address."""

    pages: tuple[tuple[str, str], ...]


Part = Say | Tell | Heading | Points | Board | Picture | Choices | Meant | Button | Small | Links


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail before it is written: its subject and its parts in order."""

    subject: str
    parts: tuple[Part, ...]
