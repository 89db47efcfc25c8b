"""The record of a kind of mail: its properties, written once, in the module that renders it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING

from pbem.i18n import marked

if TYPE_CHECKING:
    from collections.abc import Callable

    from emails.content.blocks import Block
    from emails.messages.context import MessageContext

DEFAULT_SUBJECT = marked("About your request")
DEFAULT_SUMMARY = marked("There is news in your match of {game}.")


class Files(Enum):
    """What a mail about a finished match has attached: its record as text, or the whole match as one HTML file."""

    RECORD = auto()
    REPLAY = auto()


@dataclass(frozen=True, slots=True)
class MessageKind:
    """A kind of mail; the defaults are those of an ordinary one."""

    name: str
    build_blocks: Callable[[MessageContext], list[Block]]
    subject: str = DEFAULT_SUBJECT
    """The subject; that of a mail about a seat goes on with the match."""
    build_subject: Callable[[MessageContext], str] | None = None
    """Builds the whole subject from the facts; players who want link-only mails get the other one."""
    game_fact: str = ""
    """The fact with the game that the subject names, in a mail that is not about a seat."""
    summary: str = DEFAULT_SUMMARY
    """The sentence that replaces the content for players who want link-only mails, and the preheader."""
    is_unredacted: bool = False
    """Whether the mail reveals nothing about a position, and is the same for all players."""
    is_previewed: bool = False
    """Whether the first sentence reveals nothing; inboxes show the summary of other kinds, unless unredacted."""
    is_pictured: bool = False
    """Whether the mail shows a picture even if it is not the reader's turn."""
    is_answer: bool = False
    """Whether the mail answers a request of its reader, even if it did not come by mail."""
    has_plan_summary: bool = True
    """Whether the mail states the conditional moves that wait; those about these moves say it themselves."""
    has_full_proof: bool = False
    files: Files | None = None
