"""The last blocks of mails that are not about the position."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.content.blocks import Button, Footnote
from emails.messages.shared import command_reminder
from pbem.i18n import _

if TYPE_CHECKING:
    from emails.content.blocks import Block
    from emails.messages.context import MessageContext


def brief_ending(reader: MessageContext) -> list[Block]:
    """Link to the turn page if it is the reader's turn, and list the commands."""
    page = [Button(_("It is your turn: choose your move"), reader.turn_page)] if reader.their_turn else []
    return [*page, Footnote((command_reminder(reader),))]
