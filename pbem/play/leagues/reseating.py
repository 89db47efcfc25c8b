"""Reseating of matches of a season: the matches that somebody has not finished, and others in their seats."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.db.models import Entrant, Event, EventMatch, Match, Player, SeatHolder
from pbem.play.clocks import time_controls
from pbem.play.leagues import rules
from pbem.play.players import registry, robots
from pbem.states import MatchRole, MatchState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.play.core.context import Context


def unfinished(ctx: Context, event: Event, player: int) -> Sequence[str]:
    """List the names of the matches of a season that a player sits at and that are not over."""
    theirs = select(Match.id).join(SeatHolder, SeatHolder.match_id == Match.id).where(Match.event_id == event.id)
    present = theirs.where(SeatHolder.player_id == player, SeatHolder.left_at.is_(None))
    return ctx.session.scalars(present.where(Match.state != MatchState.OVER).order_by(Match.id)).all()


def reseat(ctx: Context, match: Match, gone: SeatHolder, substitute: Entrant | None) -> None:
    """Seat somebody else, or a robot, in a match that has not begun."""
    # Without a reason: nobody is less reliable for leaving a match that has not begun.
    gone.left_at = ctx.now
    seat = match.seats[gone.seat - 1]
    seat.entropy = substitute.entropy if substitute else None
    if substitute:
        newcomer = ctx.session.get_one(Player, substitute.player_id)
        email = registry.verified_address(ctx, newcomer)
        registry.add_holder(ctx, match, gone.seat, newcomer, substitute.name, email)
        ctx.session.flush()
        return
    robots.take_seat(ctx, match, gone.seat)
    match.rated = False
    place = ctx.session.get_one(EventMatch, match.id)
    if len(match.seats) == rules.PAIR:
        place.role, match.time_control = MatchRole.FRIENDLY, time_controls.UNLIMITED
    ctx.session.flush()
