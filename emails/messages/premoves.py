"""Blocks that any mail may have in addition: a premove."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.content.blocks import Choices
from emails.messages.shared import move_choice
from pbem.i18n import _

if TYPE_CHECKING:
    from emails.content.blocks import Block
    from emails.messages.context import MessageContext


def premove(reader: MessageContext) -> list[Block]:
    """Mention a premove, and offer it once it may be played."""
    move = reader.facts.get("proposal")
    if not move:
        return []
    if not reader.facts["proposal_now"]:
        kept = _("You also wrote “{move}”. It is kept for you, and offered again when it may be played.", move=move)
        return [kept]
    offer = _("Before that you had also written “{move}”. It was not played, because something came up in between.",
              move=move)  # fmt: skip
    return [offer, Choices(_("To play it now"), (move_choice(reader, move),), ())]
