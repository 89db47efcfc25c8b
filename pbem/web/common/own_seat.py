"""The seats that a visitor holds: in the match of a page, and in other matches that wait for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.db.models import SeatHolder
from pbem.games import GAMES
from pbem.play.accounts import dashboard
from pbem.play.core import tokens
from pbem.play.matches.seats import holders
from pbem.web.common.seat_link import holds_seat, is_signed_in_as
from pbem.web.request import held_seats

if TYPE_CHECKING:
    from pbem.db.models import Match
    from pbem.play.core.context import Context


@dataclass(frozen=True, slots=True)
class NextGame:
    """The most urgent of a player's other matches that wait for them, and how many there are."""

    match: str
    game: str
    others: list[str]
    count: int


def find(ctx: Context, match: Match) -> SeatHolder | None:
    """Return the seat that the visitor holds in a match, of several one to move; None if its links have expired."""
    if tokens.have_expired(ctx, match.ended_at):
        return None
    own = [holder for holder in holders(ctx, match) if holds_seat(ctx, holder)]
    return min(own, key=lambda holder: (holder.seat not in match.to_move, holder.seat), default=None)


def next_game(ctx: Context, match: Match, holder: SeatHolder) -> NextGame | None:
    """Return the next match that waits for the player of a seat to move, if the visitor holds their seat there."""
    signed_in = is_signed_in_as(holder)
    if not signed_in and not held_seats.are_any():
        return None
    others = [one for one in dashboard.unfinished(ctx, holder.player_id) if one.match != match.id]
    waiting = [one for one in others if one.begun and one.waits]
    if waiting and not signed_in:
        seats = ctx.session.scalars(select(SeatHolder).where(SeatHolder.id.in_([one.holder for one in waiting])))
        held = {one.id for one in seats if holds_seat(ctx, one)}
        waiting = [one for one in waiting if one.holder in held]
    if not waiting:
        return None
    return NextGame(waiting[0].match, GAMES[waiting[0].game].name, waiting[0].others, len(waiting))
