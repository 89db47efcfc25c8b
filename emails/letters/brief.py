"""The end of letters that are about something else than the position."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.letters.blocks import reminder
from emails.parts import Button, Small
from pbem.words import _

if TYPE_CHECKING:
    from emails.letters.reader import Reader
    from emails.parts import Part


def briefly(reader: Reader) -> list[Part]:
    """Say whether it is the reader's turn, and what they may write."""
    page = [Button(_("It is your turn: choose your move"), reader.turn_page)] if reader.their_turn else []
    return [*page, Small((reminder(reader),))]
