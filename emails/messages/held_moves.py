"""Mails about a held move: until when it can be undone, that it was undone, or that there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.content.blocks import Button
from emails.messages.kinds import MessageKind
from emails.messages.shared import brief_ending, current_position
from pbem.i18n import _, marked

if TYPE_CHECKING:
    from emails.content.blocks import Block
    from emails.messages.context import MessageContext


def _held(reader: MessageContext) -> list[Block]:
    return [
        _("Your move is on hold. It will be played on {moment}.", moment=reader.moment("until")),
        _("To take it back before then, reply “{word}” alone on the first line.", word=reader.word("undo")),
        Button(_("Take it back"), reader.turn_page),
        _("Your move: {move}", move=reader.facts["move"]),
        *([_("It replaces the move you sent before.")] if reader.facts["replaces"] else []),
    ]


def _undo_done(reader: MessageContext) -> list[Block]:
    return [_("Your move was taken back; nothing was played."), *current_position(reader)]


def _nothing_held(reader: MessageContext) -> list[Block]:
    lead = _("You have no move on hold, so there is nothing to take back.")
    how = _("You can have your moves held for some minutes before they are played:")
    page = Button(_("Your time"), f"{reader.config.base_url}/me/time")
    choose: list[Block] = [] if reader.facts["minutes"] else [how, page]
    return [lead, *choose, *brief_ending(reader)]


KINDS = (
    MessageKind(
        "held",
        _held,
        subject=marked("Move on hold"),
        summary=marked("Your move in {game} is on hold. You can take it back on its page for some minutes."),
        is_previewed=True,
        is_answer=True,
    ),
    MessageKind(
        "undone",
        _undo_done,
        subject=marked("Move taken back"),
        summary=marked("Your move in {game} was taken back; nothing was played."),
        is_previewed=True,
        is_answer=True,
    ),
    MessageKind("not undone", _nothing_held, subject=marked("No move on hold"), is_unredacted=True, is_answer=True),
)
