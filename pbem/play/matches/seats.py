"""Seats of a match: their current holders, and their entropy for the deal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import and_, bindparam, inspect, select
from sqlalchemy.orm import joinedload
from sqlalchemy.orm.attributes import set_committed_value

from pbem.db import conditions
from pbem.db.models import MatchSeat, SeatHolder
from pbem.db.query_cache import Question, get_or_query, store
from pbem.play.core import match_features

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pbem.db.models import Match
    from pbem.play.core.context import Context

TIMED_OUT = "timed out"
"""Value of `SeatHolder.leave_reason`: the player's timeout ended the match, or their part in it."""
IS_CURRENT = and_(
    SeatHolder.match_id == MatchSeat.match_id, SeatHolder.seat == MatchSeat.seat, SeatHolder.left_at.is_(None)
)
"""The condition that joins a seat with its current holder."""
_SEATS = (
    select(MatchSeat, SeatHolder)
    .outerjoin(SeatHolder, IS_CURRENT)
    .order_by(MatchSeat.match_id, MatchSeat.seat)
    # Every message needs the player's preferences.
    .options(joinedload(SeatHolder.player))
)
_SEATS_OF_ONE = _SEATS.where(MatchSeat.match_id == bindparam("match"))
_SEATS_OF_SEVERAL = _SEATS.where(conditions.is_any_of(MatchSeat.match_id, "matches"))


def with_holders(ctx: Context, match: Match) -> Sequence[tuple[MatchSeat, SeatHolder | None]]:
    """List the seats of a match in order, each with its current holder, or None if it is vacant."""

    def query() -> Sequence[tuple[MatchSeat, SeatHolder | None]]:
        return _group(ctx.session.execute(_SEATS_OF_ONE, {"match": match.id}), [match])[match.id]

    return get_or_query(ctx.session, _question(match), query)


def load(ctx: Context, matches: Sequence[Match]) -> None:
    """Load the seats of several matches with their holders by one query, for `with_holders`."""
    rows = ctx.session.execute(_SEATS_OF_SEVERAL, {"matches": [match.id for match in matches]})
    found = _group(rows, matches)
    for match in matches:
        store(ctx.session, _question(match), found[match.id])


def _question(match: Match) -> Question:
    return Question((SeatHolder, MatchSeat), ("places",), match.id)


def _group(rows: Iterable[Any], matches: Sequence[Match]) -> dict[str, list[tuple[MatchSeat, SeatHolder | None]]]:
    found: dict[str, list[tuple[MatchSeat, SeatHolder | None]]] = {match.id: [] for match in matches}
    for seat, holder in rows:
        found[seat.match_id].append((seat, holder))
    for match in matches:
        if "seats" in inspect(match).unloaded:
            # Saves the query that `match.seats` would make.
            set_committed_value(match, "seats", [seat for seat, _holder in found[match.id]])
    return found


def holders(ctx: Context, match: Match) -> list[SeatHolder]:
    """List the current holders of a match, in seat order."""
    return [holder for _seat, holder in with_holders(ctx, match) if holder]


def distinct_players(present: Sequence[SeatHolder], first: int | None = None) -> list[SeatHolder]:
    """List some holders with each player once, at the seat `first` if theirs: practice matches may repeat one."""
    order = sorted(present, key=lambda holder: (holder.seat != first, holder.seat))
    own = {holder.player_id: holder.id for holder in reversed(order)}
    return [holder for holder in present if own[holder.player_id] == holder.id]


def listening(ctx: Context, match: Match) -> list[SeatHolder]:
    """List the players of a match whose programs may follow it; most matches have none, which costs no statement."""
    listeners = match_features.load(ctx, match.id).listeners
    present = distinct_players(holders(ctx, match)) if listeners else []
    return [holder for holder in present if holder.player_id in listeners]


def entropy_with_source(seat: MatchSeat) -> tuple[str, str]:
    """Return a seat's entropy and its source, `player` or `server`."""
    return (seat.entropy, "player") if seat.entropy else (seat.default_entropy, "server")
