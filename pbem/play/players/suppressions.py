"""Addresses that must not be mailed, for any reason: an unsubscription, a bounce, a complaint."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import or_, select

from pbem.db.models import Suppression
from pbem.play.players import unsubscribes

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import ColumnElement

    from pbem.play.core.context import Context


def suppression_reason(ctx: Context, email: str) -> str | None:
    """Return why an address must not be mailed, or None if it may be."""
    key = Suppression.hash == unsubscribes.address_hash(email)
    return ctx.session.scalar(select(Suppression.reason).where(key, is_active(ctx.now)))


def is_active(now: datetime | ColumnElement[datetime]) -> ColumnElement[bool]:
    """Return the condition that selects active suppressions."""
    return or_(Suppression.expires_at.is_(None), Suppression.expires_at > now)
