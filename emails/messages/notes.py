"""Mails about a player's private notes, which go to their author alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.content.blocks import Links, TitledList
from emails.messages.kinds import MessageKind
from emails.messages.shared import brief_ending
from pbem.i18n import _, marked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from emails.content.blocks import Block
    from emails.messages.context import MessageContext


def _noted(reader: MessageContext) -> list[Block]:
    how = _("To get all your notes on this match, reply “{word}”.", word=reader.word("notes"))
    return [_("Noted, for you alone."), *_noted_lists(reader), how, *_ending(reader)]


def _not_noted(reader: MessageContext) -> list[Block]:
    noted = _noted_lists(reader)
    return [
        _("This was not noted. Nobody else has read it."),
        *(_noted_list(one["name"], one["lines"]) for one in reader.facts["refused"]),
        reader.facts["reason"],
        *([_("The rest was noted, for you alone."), *noted] if noted else []),
        *_ending(reader),
    ]


def _notes(reader: MessageContext) -> list[Block]:
    noted = _noted_lists(reader)
    lead = _("These are your notes. Nobody else reads them.") if noted else _("You have no notes on this match yet.")
    word = reader.word("note")
    more = _("To add to them, reply “{word}” followed by a text; “{word} on” and a name begins a note on that player.",
             word=word)  # fmt: skip
    first = _("To write one, reply “{word}” followed by a text; “{word} on” and a name begins a note on that player.",
              word=word)  # fmt: skip
    return [lead, *noted, more if noted else first, *_ending(reader)]


def _noted_lists(reader: MessageContext) -> list[Block]:
    return [_noted_list(one["name"], one["lines"]) for one in reader.facts["noted"]]


def _noted_list(name: str | None, lines: Sequence[str]) -> TitledList:
    title = _("On {name}:", name=name) if name else _("On this match:")
    # In quotation marks, because a line may be what is a move.
    return TitledList(title, tuple(_("“{text}”", text=line) for line in lines if line))


def _ending(reader: MessageContext) -> list[Block]:
    return [*brief_ending(reader), Links(((_("Edit your notes"), f"{reader.turn_page}/notes"),))]


KINDS = (
    MessageKind(
        "noted",
        _noted,
        subject=marked("Noted"),
        summary=marked("Your note on your match of {game} was kept, for you alone."),
    ),
    MessageKind(
        "not noted",
        _not_noted,
        subject=marked("Not noted"),
        summary=marked("Your note on your match of {game} was not kept."),
    ),
    MessageKind(
        "notes", _notes, subject=marked("Your notes"), summary=marked("These are your notes on your match of {game}.")
    ),
)
