"""Unsubscription from the mail about one match or from all mail, and its reversal.

A player who stops a match's mail still plays it on its pages, and still gets an answer to each mail of theirs.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from sqlalchemy import delete, select
from sqlalchemy.dialects.postgresql import insert

from pbem.addresses import canonical
from pbem.db.models import Suppression
from pbem.play.core.message_kinds import delivery_rules

if TYPE_CHECKING:
    from pbem.db.models import SeatHolder
    from pbem.play.core.context import Context

UNSUBSCRIBED = "unsubscribe"
"""Reason of a suppression that the owner of the address requested."""


def is_stopped(holder: SeatHolder, kind: str, answers: str | None = None) -> bool:
    """Return whether a message must not be sent because its reader has stopped the match's mail.

    `answers` is the Message-ID of the mail that the message answers: a mail to the service is always answered.
    """
    rules = delivery_rules(kind)
    is_exempt = answers is not None or rules.is_requested or rules.ignores_stop
    return holder.mail_stopped_at is not None and not is_exempt


def address_hash(email: str) -> bytes:
    """Return the hash under which a suppressed address is stored."""
    return hashlib.sha256(canonical(email).encode()).digest()


def unsubscribe(ctx: Context, email: str) -> None:
    """Send no more mail to an address; a more serious reason that is stored already stays."""
    row = {"hash": address_hash(email), "reason": UNSUBSCRIBED, "suppressed_at": ctx.now}
    ctx.session.execute(insert(Suppression).values(row).on_conflict_do_nothing())


def resubscribe(ctx: Context, email: str) -> None:
    """Send mail to an address again, if it was unsubscribed by its owner."""
    own = Suppression.hash == address_hash(email), Suppression.reason == UNSUBSCRIBED
    ctx.session.execute(delete(Suppression).where(*own))


def is_unsubscribed(ctx: Context, email: str) -> bool:
    """Return whether the owner of an address has unsubscribed from all mail."""
    reason = select(Suppression.reason).where(Suppression.hash == address_hash(email))
    return ctx.session.scalar(reason) == UNSUBSCRIBED
