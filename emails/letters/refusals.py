"""Letters to whoever sent something that was not played."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.letters.blocks import choice, position, your_turn
from emails.parts import Meant, Say
from pbem.words import _

if TYPE_CHECKING:
    from emails.letters.reader import Reader
    from emails.parts import Part

QUOTED = 200
"""A refused line is quoted up to so many characters."""


def _rejected(reader: Reader) -> list[Part]:
    line, reason = reader.facts["line"][:QUOTED], reader.facts["reason"]
    lead = _("Nothing was played. You wrote “{line}”. {reason}", line=line, reason=reason)
    near = tuple(choice(reader, move) for move in reader.facts.get("near", ()))
    return [Say(lead), *([Meant(near)] if near else []), *your_turn(reader)]


def _nothing_typed(reader: Reader) -> list[Part]:
    lead = _("Nothing was played: there was nothing in your mail above the quoted one.")
    return [Say(lead), *your_turn(reader)]


def _stale(reader: Reader) -> list[Part]:
    lead = _("Nothing new was played. {reason}", reason=reader.facts["reason"])
    if reader.their_turn:
        return [Say(lead), Say(_("It is your turn again; this is the match now.")), *your_turn(reader)]
    return [Say(lead), Say(_("This is the match now.")), *position(reader)]


def _wrong_sender(reader: Reader) -> list[Part]:
    sender = reader.facts["sender"].replace("@", _(" at ")) or _("unknown")
    lead = _("Somebody answered one of your mails from another address ({sender}). Nothing was played.", sender=sender)
    then = _("If it was you, please write again from this address, or use the page below.")
    return [Say(lead), Say(then), *(your_turn(reader) if reader.their_turn else position(reader))]


LETTERS = {"rejected": _rejected, "nothing typed": _nothing_typed, "stale": _stale, "wrong sender": _wrong_sender}
