"""Letters: mails to the service itself, kept, and forwarded to whoever runs it."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from sqlalchemy.dialects.postgresql import insert

from pbem.db.models import Letter
from pbem.play import notices

if TYPE_CHECKING:
    from pbem.play.table import Table


def send(table: Table, recipient: str, sender: str, raw: bytes, fingerprint: bytes, *, forward: bool) -> bool:
    """Keep a mail to the service itself; False where the same mail is kept already.

    With `forward`, and where an operator has an address, a notice is owed that brings it to them.
    """
    once = hashlib.sha256(b"\0".join([b"letter", recipient.encode(), fingerprint])).digest()
    row = {"recipient": recipient, "sender": sender, "raw": raw, "once": once, "received_at": table.now}
    kept = table.session.scalar(insert(Letter).values(row).on_conflict_do_nothing().returning(Letter.id))
    operator = table.config.operator_email
    if kept and forward and operator:
        facts = {"letter": kept, "recipient": recipient, "sender": sender}
        notices.owe_mail(table, "letter", operator, facts, once=f"letter {kept}")
    return kept is not None
