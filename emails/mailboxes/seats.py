"""The mailbox of one seat and stage: `play+<token>@`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.mailboxes.mailbox import Mailbox
from pbem.play import links

if TYPE_CHECKING:
    from collections.abc import Collection

    from pbem.play.table import Table


def _known(table: Table, tokens: Collection[str]) -> Collection[str]:
    return links.known(table, tokens, links.REPLY)


MAILBOXES = (Mailbox("play", None, known=_known),)
