"""Moves that the service has played for a seat since its player's last own move, for the next mail to them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, func, select

from pbem.db.models import LogEntry, MoveTiming

if TYPE_CHECKING:
    from pbem.db.models import SeatHolder
    from pbem.play.core.context import Context

_IS_OWN_TURN = MoveTiming.holder_id == bindparam("holder")
_LAST_OWN_PLY = (
    select(func.coalesce(func.max(MoveTiming.ply), 0))
    .where(_IS_OWN_TURN, MoveTiming.automatic_reason.is_(None))
    .scalar_subquery()
)
_TURNS_SINCE = (
    select(MoveTiming.ply, MoveTiming.automatic_reason)
    .where(_IS_OWN_TURN, MoveTiming.ply > _LAST_OWN_PLY)
    .order_by(MoveTiming.ply)
)
_MOVES_SINCE = (
    select(LogEntry.ply, LogEntry.move)
    .where(
        LogEntry.match_id == bindparam("match"), LogEntry.seat == bindparam("seat"), LogEntry.ply >= bindparam("ply")
    )
    .order_by(LogEntry.ply)
)


def automatic_moves(ctx: Context, holder: SeatHolder) -> list[dict[str, Any]]:
    """List the moves that the service has played for a seat since its player's last own move, and why."""
    turns = ctx.session.execute(_TURNS_SINCE, {"holder": holder.id}).all()
    if not turns:
        return []
    theirs = {"match": holder.match_id, "seat": holder.seat, "ply": turns[0][0]}
    logged = ctx.session.execute(_MOVES_SINCE, theirs).all()
    # A turn has the first ply of its stage, in which others may have moved before.
    return [{"move": next(move for ply, move in logged if ply and ply >= first), "why": why} for first, why in turns]
