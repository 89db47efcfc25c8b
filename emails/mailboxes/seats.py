"""The mailbox of one seat and stage: `play+<token>@`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.mailboxes.mailbox import Incoming, Kept, Mailbox
from pbem.play import links, submissions

if TYPE_CHECKING:
    from pbem.play.table import Table


def _known(table: Table, token: str) -> bool:
    return links.is_known(table, token, links.REPLY)


def _keep(table: Table, incoming: Incoming) -> Kept:
    token = links.find(table, incoming.token, links.REPLY)
    if token is None:
        return Kept.UNKNOWN
    new = submissions.send_mail(table, token, incoming.stored, incoming.fingerprint, ignored=incoming.own)
    return Kept.NEW if new else Kept.COPY


MAILBOXES = (Mailbox("play", _keep, known=_known),)
