"""Blocks that any mail may have in addition: a premove."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.content.blocks import Choices, Say
from emails.messages.shared import choice
from pbem.i18n import _

if TYPE_CHECKING:
    from emails.content.blocks import Part
    from emails.messages.context import Reader


def ahead(reader: Reader) -> list[Part]:
    """Mention a premove, and offer it once it may be played."""
    move = reader.facts.get("proposal")
    if not move:
        return []
    if not reader.facts["proposal_now"]:
        kept = _("You also wrote “{move}”. It is kept for you, and offered again when it may be played.", move=move)
        return [Say(kept)]
    offer = _("Before that you had also written “{move}”. It was not played, because something came up in between.",
              move=move)  # fmt: skip
    return [Say(offer), Choices(_("To play it now"), (choice(reader, move),), ())]
