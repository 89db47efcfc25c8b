"""Seats whose page is in use: their turn mails wait some minutes, and are dropped if the turn is played meanwhile."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from pbem.play.matches import seats
from pbem.play.submissions.queue import LINK

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.db.models import Match, SeatHolder, Submission
    from pbem.play.core.context import Context

IN_USE = timedelta(minutes=10)
"""Time after a move by a seat's page for which the page counts as in use."""
HOLD = timedelta(minutes=10)
"""Time for which a turn mail to a seat whose page is in use is held."""


def record_move(ctx: Context, match: Match, submission: Submission) -> None:
    """Record that a player has moved by the page of their seat, or by mail or API, which ends the use of the page."""
    used_at = submission.received_at if submission.via == LINK else None
    mover = submission.holder
    if mover.page_used_at == used_at:
        return
    # In a practice match a player may have several seats.
    for holder in seats.holders(ctx, match):
        if holder.player_id == mover.player_id:
            holder.page_used_at = used_at


def held_until(ctx: Context, holder: SeatHolder) -> datetime | None:
    """Return until when a turn mail to a seat is held; None if it is sent at once."""
    used_at = holder.page_used_at
    return ctx.now + HOLD if used_at and ctx.now - used_at < IN_USE else None
