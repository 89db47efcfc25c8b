"""The mailbox of the service's mails to itself: `probe+<token>@`, one for each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.mailboxes.mailbox import Incoming, Kept, Mailbox
from pbem.play import probes

if TYPE_CHECKING:
    from pbem.play.table import Table


def _keep(table: Table, incoming: Incoming) -> Kept:
    if not probes.known(table, incoming.token):
        return Kept.UNKNOWN
    new = probes.came_back(table, incoming.token, incoming.stored, incoming.fingerprint)
    return Kept.NEW if new else Kept.COPY


MAILBOXES = (Mailbox(probes.KIND, _keep, known=probes.known, by_hand=False),)
