"""The service's own mailboxes: its address, and those that every mail domain has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.mailboxes.mailbox import Incoming, Kept, Mailbox
from emails.read import read
from pbem.play import letters

if TYPE_CHECKING:
    from pbem.play.table import Table


def _keep(table: Table, incoming: Incoming) -> Kept:
    stored = incoming.stored
    # What no person wrote is kept, but forwarding it could be answered by a robot, for ever.
    by_hand = not incoming.own and read(stored).kind == "reply"
    new = letters.send(
        table, incoming.recipient.lower(), incoming.sender, stored, incoming.fingerprint, forward=by_hand
    )
    return Kept.NEW if new else Kept.COPY


MAILBOXES = tuple(Mailbox(name, _keep) for name in ("games", "postmaster", "abuse"))
