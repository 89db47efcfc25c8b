"""The mailbox that stops mail: `unsub+<token>@`, for mail programs that unsubscribe by mail."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.inbound.mailboxes.base import Incoming, Kept, Mailbox
from pbem.play.core import tokens as core_tokens
from pbem.play.players import preferences

if TYPE_CHECKING:
    from collections.abc import Collection

    from pbem.play.core.context import Table


def _known(table: Table, tokens: Collection[str]) -> Collection[str]:
    return {token for token in tokens if core_tokens.find_unsubscribing(table, token)}


def _keep(table: Table, incoming: Incoming) -> Kept:
    """Stop the mail, whatever the mail says and whoever it says it is from: a mail program wrote it."""
    found = core_tokens.find_unsubscribing(table, incoming.token)
    if found is None:
        return Kept.UNKNOWN
    preferences.stop(table, preferences.meant(table, found))
    return Kept.NEW


MAILBOXES = (Mailbox("unsub", _keep, known=_known, by_hand=False),)
