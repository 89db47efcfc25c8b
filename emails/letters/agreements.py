"""Letters about giving up and agreeing on a draw."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.letters.blocks import position, your_turn
from emails.parts import Say
from pbem.words import _

if TYPE_CHECKING:
    from emails.letters.reader import Reader
    from emails.parts import Part


def _resign(reader: Reader) -> list[Part]:
    lead = _("Do you want to resign? Nothing has happened yet.")
    then = _("To give up this match for good, reply with the words “resign yes” alone on the first line.")
    return [Say(lead), Say(then), *position(reader)]


def _draw_offered(reader: Reader) -> list[Part]:
    lead = _("Your draw offer has been passed on; it stands until somebody moves.")
    return [Say(lead), *(your_turn(reader) if reader.their_turn else position(reader))]


def _draw_offer(reader: Reader) -> list[Part]:
    lead = _(
        "{name} offers a draw. To agree, reply with the word “draw” alone on the first line.", name=reader.facts["by"]
    )
    return [Say(lead), Say(_("The offer stands until somebody moves.")), *position(reader)]


LETTERS = {"resign?": _resign, "draw offered": _draw_offered, "draw offer": _draw_offer}
