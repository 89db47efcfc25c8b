"""The mail that the service sends to itself, to see whether mail goes out and comes in again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.parts import Say, Small
from pbem.play import probes

if TYPE_CHECKING:
    from emails.letters.reader import Reader
    from emails.parts import Part


def _probe(reader: Reader) -> list[Part]:
    """Nobody reads it but whoever looks for it in a mailbox, so it is in no other language."""
    lead = f"This mail goes from {reader.config.host} to {reader.config.host}, to see whether mail arrives."
    return [Say(lead), Small(("Nobody needs to do anything with it.",))]


LETTERS = {probes.KIND: _probe}
