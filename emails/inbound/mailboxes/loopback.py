"""The mailbox of the service's mails to itself: `probe+<token>@`, one for each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.inbound.mailboxes.base import Incoming, Kept, Mailbox
from pbem.play.deliverability import loopback

if TYPE_CHECKING:
    from collections.abc import Collection

    from pbem.play.core.context import Table


def _keep(table: Table, incoming: Incoming) -> Kept:
    if not loopback.known(table, incoming.token):
        return Kept.UNKNOWN
    new = loopback.came_back(table, incoming.token, incoming.stored, incoming.fingerprint)
    return Kept.NEW if new else Kept.COPY


def _known(table: Table, tokens: Collection[str]) -> Collection[str]:
    return {token for token in tokens if loopback.known(table, token)}


MAILBOXES = (Mailbox(loopback.KIND, _keep, known=_known, by_hand=False),)
