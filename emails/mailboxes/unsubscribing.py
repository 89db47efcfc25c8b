"""The mailbox that stops mail: `unsub+<token>@`, for mail programs that unsubscribe by mail."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.mailboxes.mailbox import Incoming, Kept, Mailbox
from pbem.play import choices, links

if TYPE_CHECKING:
    from collections.abc import Collection

    from pbem.play.table import Table


def _known(table: Table, tokens: Collection[str]) -> Collection[str]:
    return {token for token in tokens if links.find_unsubscribing(table, token)}


def _keep(table: Table, incoming: Incoming) -> Kept:
    """Stop the mail, whatever the mail says and whoever it says it is from: a mail program wrote it."""
    found = links.find_unsubscribing(table, incoming.token)
    if found is None:
        return Kept.UNKNOWN
    choices.stop(table, choices.meant(table, found))
    return Kept.NEW


MAILBOXES = (Mailbox("unsub", _keep, known=_known, by_hand=False),)
