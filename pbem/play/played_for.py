"""What the service has played for a seat since its holder moved last: told in the next mail that they get."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select

from pbem.db.models import LogEntry, Turn

if TYPE_CHECKING:
    from pbem.db.models import Holder
    from pbem.play.table import Table


def moves(table: Table, holder: Holder) -> list[dict[str, Any]]:
    """List the moves that the service has played for a seat since its holder's last own one, and why."""
    theirs = Turn.holder_id == holder.id
    by_hand = select(func.coalesce(func.max(Turn.ply), 0)).where(theirs, Turn.automatic.is_(None)).scalar_subquery()
    turns = table.session.execute(
        select(Turn.ply, Turn.automatic).where(theirs, Turn.ply > by_hand).order_by(Turn.ply)
    ).all()
    if not turns:
        return []
    moved = select(LogEntry.ply, LogEntry.move).where(LogEntry.match_id == holder.match_id)
    logged = table.session.execute(
        moved.where(LogEntry.seat == holder.seat, LogEntry.ply >= turns[0][0]).order_by(LogEntry.ply)
    ).all()
    # A turn is known by the first ply of its stage, in which others may have moved before.
    return [{"move": next(move for ply, move in logged if ply and ply >= asked), "why": why} for asked, why in turns]
