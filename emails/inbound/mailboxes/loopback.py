"""The mailbox for the service's test mails to itself: `probe+<token>@`, one for each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.inbound.mailboxes.base import Mailbox, ReceivedMail, StoreResult
from pbem.play.deliverability import loopback

if TYPE_CHECKING:
    from collections.abc import Collection

    from pbem.play.core.context import Context


def _store(ctx: Context, incoming: ReceivedMail) -> StoreResult:
    if not loopback.was_sent(ctx, incoming.token):
        return StoreResult.UNKNOWN
    new = loopback.store_returned(ctx, incoming.token, incoming.stored, incoming.fingerprint)
    return StoreResult.NEW if new else StoreResult.COPY


def _issued_tokens(ctx: Context, tokens: Collection[str]) -> Collection[str]:
    return {token for token in tokens if loopback.was_sent(ctx, token)}


MAILBOXES = (Mailbox(loopback.KIND, _store, issued_tokens=_issued_tokens, by_hand=False),)
