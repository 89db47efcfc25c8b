"""The mailbox for unsubscribing: `unsub+<token>@`, for mail programs that unsubscribe by mail."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.inbound.mailboxes.base import Incoming, Kept, Mailbox
from pbem.play.core import tokens as core_tokens
from pbem.play.players import preferences

if TYPE_CHECKING:
    from collections.abc import Collection

    from pbem.play.core.context import Context


def _known(ctx: Context, tokens: Collection[str]) -> Collection[str]:
    return {token for token in tokens if core_tokens.find_unsubscribing(ctx, token)}


def _keep(ctx: Context, incoming: Incoming) -> Kept:
    """Unsubscribe, whatever the text and the author of the mail: a mail program wrote it."""
    found = core_tokens.find_unsubscribing(ctx, incoming.token)
    if found is None:
        return Kept.UNKNOWN
    preferences.stop(ctx, preferences.meant(ctx, found))
    return Kept.NEW


MAILBOXES = (Mailbox("unsub", _keep, known=_known, by_hand=False),)
