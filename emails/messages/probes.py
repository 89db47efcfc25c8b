"""The test mail that the service sends to itself, to check that mail goes out and comes in again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.content.blocks import Say, Small
from pbem.play.deliverability import loopback

if TYPE_CHECKING:
    from emails.content.blocks import Part
    from emails.messages.context import Reader


def _probe(reader: Reader) -> list[Part]:
    """Build the test mail, in English only: it is read only by operators who find it in a mailbox."""
    lead = f"This mail goes from {reader.config.host} to {reader.config.host}, to see whether mail arrives."
    return [Say(lead), Small(("Nobody needs to do anything with it.",))]


LETTERS = {loopback.KIND: _probe}
