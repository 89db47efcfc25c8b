"""Content blocks of mails: each is rendered both as text and as HTML, so that the two cannot disagree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class TitledList:
    """A list of events under a heading, one sentence each; lines that begin with a place get no bullet."""

    heading: str
    lines: tuple[str, ...]
    has_places: bool = False


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading, for mails that are long enough to need one."""

    text: str


@dataclass(frozen=True, slots=True)
class BulletList:
    """A bullet list, one sentence per bullet."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Board:
    """The position as text, and as a picture with its words for screen readers, made only where it is wanted."""

    text: str
    svg: Callable[[], str]
    words: Callable[[], str]


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture that the text part leaves out, since it adds nothing; `words` are its alternative text."""

    svg: Callable[[], str]
    words: str


@dataclass(frozen=True, slots=True)
class Choice:
    """A likely move: the page that shows its effect, and a reply that plays it.

    `name` is the move's name where that says more than the move itself, and `hint` explains it. The suggestions of a
    mail are numbered from 1, and `#1` as a reply plays the first of them.
    """

    move: str
    url: str
    mailto: str
    name: str = ""
    hint: str = ""
    number: int = 0


@dataclass(frozen=True, slots=True)
class Choices:
    """Likely moves as buttons, and a list of moves or pieces of moves where there are few enough."""

    heading: str
    likely: tuple[Choice, ...]
    listed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Suggestions:
    """Suggested moves, as buttons, for a refused line."""

    likely: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class Button:
    """A button that leads to a page."""

    label: str
    url: str


@dataclass(frozen=True, slots=True)
class Footnote:
    """Small print, one line each, such as help and the proof of the match; a link may follow the last line."""

    lines: tuple[str, ...]
    link: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Links:
    """Small print with links in a line: pairs of a label and an address."""

    pages: tuple[tuple[str, str], ...]


Block = str | TitledList | Heading | BulletList | Board | Picture | Choices | Suggestions | Button | Footnote | Links
"""A block of a mail; a string is a paragraph, and inboxes show the first one of a mail beside the subject."""


@dataclass(frozen=True, slots=True)
class MailContent:
    """The content of a mail before rendering: its subject, its blocks in order, and the proof at its end."""

    subject: str
    parts: tuple[Block, ...]
    proof: Footnote
