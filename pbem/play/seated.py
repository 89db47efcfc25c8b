"""Who sits at a match, and what each seat adds to its deal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select
from sqlalchemy.orm import joinedload

from pbem.db.models import Holder
from pbem.db.remembered import remembered

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.db.models import Match, MatchSeat
    from pbem.play.table import Table


def holders(table: Table, match: Match) -> list[Holder]:
    """List those who sit at a match now, in seat order."""
    present = select(Holder).where(Holder.match_id == match.id, Holder.until.is_(None)).order_by(Holder.seat)
    # What a player has chosen is asked for with every notice.
    theirs = present.options(joinedload(Holder.player))
    return [*remembered(table.session, (Holder,), ("seated", match.id), lambda: table.session.scalars(theirs).all())]


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
