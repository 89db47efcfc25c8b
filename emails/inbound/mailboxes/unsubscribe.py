"""The mailbox for unsubscribing: `unsub+<token>@`, for mail programs that unsubscribe by mail."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.inbound.mailboxes.base import Mailbox, ReceivedMail, StoreResult
from pbem.play.core import tokens as core_tokens
from pbem.play.players import preferences

if TYPE_CHECKING:
    from collections.abc import Collection

    from pbem.play.core.context import Context


def _issued_tokens(ctx: Context, tokens: Collection[str]) -> Collection[str]:
    return {token for token in tokens if core_tokens.find_unsubscribe(ctx, token)}


def _unsubscribe(ctx: Context, incoming: ReceivedMail) -> StoreResult:
    """Unsubscribe, whatever the text and the author of the mail: a mail program wrote it."""
    found = core_tokens.find_unsubscribe(ctx, incoming.token)
    if found is None:
        return StoreResult.UNKNOWN
    preferences.stop_mail(ctx, preferences.affected_holders(ctx, found))
    return StoreResult.NEW


MAILBOXES = (Mailbox("unsub", _unsubscribe, issued_tokens=_issued_tokens, by_hand=False),)
