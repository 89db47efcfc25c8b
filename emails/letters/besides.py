"""What any letter may hold besides its own: a move typed ahead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.letters.blocks import choice
from emails.parts import Choices, Say
from pbem.words import _

if TYPE_CHECKING:
    from emails.letters.reader import Reader
    from emails.parts import Part


def ahead(reader: Reader) -> list[Part]:
    """Remind of a move that was typed ahead, and offer it once it may be played."""
    move = reader.facts.get("proposal")
    if not move:
        return []
    if not reader.facts["proposal_now"]:
        kept = _("You also wrote “{move}”. It is kept for you, and offered again when it may be played.", move=move)
        return [Say(kept)]
    offer = _("Before that you had also written “{move}”. It was not played, because something came up in between.",
              move=move)  # fmt: skip
    return [Say(offer), Choices(_("To play it now"), (choice(reader, move),), ())]
