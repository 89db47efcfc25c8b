"""The test mail that the service sends to itself, to check that mail goes out and comes in again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.content.blocks import Footnote
from emails.messages.kinds import MessageKind
from pbem.play.deliverability import loopback

if TYPE_CHECKING:
    from emails.content.blocks import Block
    from emails.messages.context import MessageContext


def _probe(reader: MessageContext) -> list[Block]:
    """Build the test mail, in English only: it is read only by operators who find it in a mailbox."""
    lead = f"This mail goes from {reader.config.host} to {reader.config.host}, to see whether mail arrives."
    return [lead, Footnote(("Nobody needs to do anything with it.",))]


KINDS = (MessageKind(loopback.KIND, _probe, subject="Does mail arrive?"),)
