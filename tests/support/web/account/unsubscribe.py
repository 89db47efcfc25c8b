"""What tests of unsubscribing share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.db.models import SeatHolder

if TYPE_CHECKING:
    from tests.support.house import House


def stopped(house: House) -> list[str]:
    """List who has stopped the mail of a match."""
    return house.all(select(SeatHolder.name).where(SeatHolder.mail_stopped_at.is_not(None)).order_by(SeatHolder.id))
