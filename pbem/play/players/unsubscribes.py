"""Stopping mail: what a player has asked not to be sent, of one match or of all, and how that is undone.

Whoever stops a match's mail still plays it on its pages, and still gets an answer to each mail of theirs.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from sqlalchemy import delete, select
from sqlalchemy.dialects.postgresql import insert

from pbem.addresses import canonical
from pbem.db.models import Suppression

if TYPE_CHECKING:
    from pbem.db.models import Holder
    from pbem.play.core.context import Context

UNSUBSCRIBED = "unsubscribe"
"""Why an address is not written to, when its owner has asked for that."""

ASKED_FOR = frozenset({"board", "invited", "list", "stopped all"})
"""Mails that somebody asked for on a page, or that confirm that no more will come."""
PARTING = "final"
"""How a match ended is told once, also to those who have stopped its mail."""


def stopped(holder: Holder, kind: str, answers: str | None = None) -> bool:
    """Tell whether a notice of a kind is not to be sent, because its reader has stopped the match's mail.

    `answers` is the Message-ID of the mail that the notice answers: who writes to the service is answered.
    """
    return holder.mail_stopped_at is not None and answers is None and kind not in ASKED_FOR | {PARTING}


def key_of(email: str) -> bytes:
    """Give what an address that is not to be written to is known by."""
    return hashlib.sha256(canonical(email).encode()).digest()


def unsubscribe(ctx: Context, email: str) -> None:
    """Send no more mail to an address; a graver reason that is known already stays."""
    row = {"hash": key_of(email), "reason": UNSUBSCRIBED, "since": ctx.now}
    ctx.session.execute(insert(Suppression).values(row).on_conflict_do_nothing())


def resubscribe(ctx: Context, email: str) -> None:
    """Send mail to an address again, if it was its owner who had stopped it."""
    own = Suppression.hash == key_of(email), Suppression.reason == UNSUBSCRIBED
    ctx.session.execute(delete(Suppression).where(*own))


def unsubscribed(ctx: Context, email: str) -> bool:
    """Tell whether the owner of an address wants no mail."""
    own = Suppression.hash == key_of(email), Suppression.reason == UNSUBSCRIBED
    return ctx.session.scalar(select(Suppression.hash).where(*own)) is not None
