"""The end of letters that are about something else than the position."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.content.blocks import Button, Small
from emails.messages.shared import reminder
from pbem.i18n import _

if TYPE_CHECKING:
    from emails.content.blocks import Part
    from emails.messages.context import Reader


def briefly(reader: Reader) -> list[Part]:
    """Say whether it is the reader's turn, and what they may write."""
    page = [Button(_("It is your turn: choose your move"), reader.turn_page)] if reader.their_turn else []
    return [*page, Small((reminder(reader),))]
