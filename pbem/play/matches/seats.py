"""Seats of a match: their current holders, and their entropy for the deal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import and_, bindparam, inspect, select
from sqlalchemy.orm import joinedload
from sqlalchemy.orm.attributes import set_committed_value

from pbem.db.models import MatchSeat, SeatHolder
from pbem.db.query_cache import get_or_query

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.db.models import Match
    from pbem.play.core.context import Context

IS_CURRENT = and_(
    SeatHolder.match_id == MatchSeat.match_id, SeatHolder.seat == MatchSeat.seat, SeatHolder.left_at.is_(None)
)
"""The condition that joins a seat with its current holder."""
_SEATS_QUERY = (
    select(MatchSeat, SeatHolder)
    .outerjoin(SeatHolder, IS_CURRENT)
    .where(MatchSeat.match_id == bindparam("match"))
    .order_by(MatchSeat.seat)
    # Every message needs the player's preferences.
    .options(joinedload(SeatHolder.player))
)


def with_holders(ctx: Context, match: Match) -> Sequence[tuple[MatchSeat, SeatHolder | None]]:
    """List the seats of a match in order, each with its current holder, or None if it is vacant."""

    def query() -> Sequence[tuple[MatchSeat, SeatHolder | None]]:
        found = [(row[0], row[1]) for row in ctx.session.execute(_SEATS_QUERY, {"match": match.id})]
        if "seats" in inspect(match).unloaded:
            # Saves the query that `match.seats` would make.
            set_committed_value(match, "seats", [seat for seat, _holder in found])
        return found

    return get_or_query(ctx.session, (SeatHolder, MatchSeat), ("places", match.id), query)


def holders(ctx: Context, match: Match) -> list[SeatHolder]:
    """List the current holders of a match, in seat order."""
    return [holder for _seat, holder in with_holders(ctx, match) if holder]


def distinct_players(present: Sequence[SeatHolder], first: int | None = None) -> list[SeatHolder]:
    """List some holders with each player once, at the seat `first` if theirs: practice matches may repeat one."""
    order = sorted(present, key=lambda holder: (holder.seat != first, holder.seat))
    own = {holder.player_id: holder.id for holder in reversed(order)}
    return [holder for holder in present if own[holder.player_id] == holder.id]


def entropy_with_source(seat: MatchSeat) -> tuple[str, str]:
    """Return a seat's entropy and its source, `player` or `server`."""
    return (seat.entropy, "player") if seat.entropy else (seat.default_entropy, "server")
