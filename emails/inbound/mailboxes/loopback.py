"""The mailbox for the service's test mails to itself: `probe+<token>@`, one for each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.inbound.mailboxes.base import Incoming, Kept, Mailbox
from pbem.play.deliverability import loopback

if TYPE_CHECKING:
    from collections.abc import Collection

    from pbem.play.core.context import Context


def _keep(ctx: Context, incoming: Incoming) -> Kept:
    if not loopback.known(ctx, incoming.token):
        return Kept.UNKNOWN
    new = loopback.came_back(ctx, incoming.token, incoming.stored, incoming.fingerprint)
    return Kept.NEW if new else Kept.COPY


def _known(ctx: Context, tokens: Collection[str]) -> Collection[str]:
    return {token for token in tokens if loopback.known(ctx, token)}


MAILBOXES = (Mailbox(loopback.KIND, _keep, known=_known, by_hand=False),)
