"""Who sits at a match, and what each seat adds to its deal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import and_, bindparam, inspect, select
from sqlalchemy.orm import joinedload
from sqlalchemy.orm.attributes import set_committed_value

from pbem.db.models import Holder, MatchSeat
from pbem.db.query_cache import remembered

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.db.models import Match
    from pbem.play.core.context import Context

_PRESENT = and_(Holder.match_id == MatchSeat.match_id, Holder.seat == MatchSeat.seat, Holder.until.is_(None))
_PLACES = (
    select(MatchSeat, Holder)
    .outerjoin(Holder, _PRESENT)
    .where(MatchSeat.match_id == bindparam("match"))
    .order_by(MatchSeat.seat)
    # What a player has chosen is asked for with every notice.
    .options(joinedload(Holder.player))
)


def places(ctx: Context, match: Match) -> Sequence[tuple[MatchSeat, Holder | None]]:
    """List the seats of a match in order, each with who sits there now; None where nobody does."""

    def ask() -> Sequence[tuple[MatchSeat, Holder | None]]:
        found = [(row[0], row[1]) for row in ctx.session.execute(_PLACES, {"match": match.id})]
        if "seats" in inspect(match).unloaded:
            # As `match.seats` would ask for them.
            set_committed_value(match, "seats", [seat for seat, _holder in found])
        return found

    return remembered(ctx.session, (Holder, MatchSeat), ("places", match.id), ask)


def holders(ctx: Context, match: Match) -> list[Holder]:
    """List those who sit at a match now, in seat order."""
    return [holder for _seat, holder in places(ctx, match) if holder]


def persons(present: Sequence[Holder], first: int | None = None) -> list[Holder]:
    """List those of some who sit at a match, each once: at the seat `first`, or else at the first that is theirs.

    Only who plays on for practice sits at several seats.
    """
    order = sorted(present, key=lambda holder: (holder.seat != first, holder.seat))
    own = {holder.player_id: holder.id for holder in reversed(order)}
    return [holder for holder in present if own[holder.player_id] == holder.id]


def entropy_of(seat: MatchSeat) -> tuple[str, str]:
    """Give a seat's entropy and who it is from, `player` or `server`."""
    return (seat.entropy, "player") if seat.entropy else (seat.default_entropy, "server")
