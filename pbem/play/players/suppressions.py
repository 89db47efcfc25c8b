"""Addresses that are not to be written to, whatever the reason: a stop of their owner's, a bounce, a complaint."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import or_, select

from pbem.db.models import Suppression
from pbem.play.players import unsubscribes

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import ColumnElement

    from pbem.play.core.context import Context

SECURITY = frozenset(
    {"address", "leaving", "left", "sign in", "wrong sender", "banned", "not banned", "renamed", "merged"}
)
"""Mails that keep somebody's seat and account theirs: they reach also those who want no mail.

Nobody whose mail bounces gets them.
"""


def suppressed(ctx: Context, email: str) -> str | None:
    """Give the reason not to write to an address, or None."""
    key = Suppression.hash == unsubscribes.key_of(email)
    return ctx.session.scalar(select(Suppression.reason).where(key, stands(ctx.now)))


def stands(now: datetime | ColumnElement[datetime]) -> ColumnElement[bool]:
    """Tell what a suppression that still stands is."""
    return or_(Suppression.until.is_(None), Suppression.until > now)
