"""The last blocks of mails that are not about the position."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.content.blocks import Button, Small
from emails.messages.shared import reminder
from pbem.i18n import _

if TYPE_CHECKING:
    from emails.content.blocks import Part
    from emails.messages.context import Reader


def briefly(reader: Reader) -> list[Part]:
    """Link to the turn page if it is the reader's turn, and list the commands."""
    page = [Button(_("It is your turn: choose your move"), reader.turn_page)] if reader.their_turn else []
    return [*page, Small((reminder(reader),))]
