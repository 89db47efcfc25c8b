"""Leaving a field: the tables go on, with robots in the seats of those who leave."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.db.models import Entrant, Event, Match, Player, SeatHolder
from pbem.i18n import _
from pbem.play.events import entries
from pbem.play.lifecycle import seat_changes
from pbem.play.matches.match_state import lock_match
from pbem.states import EntrantState, EventKind, EventState, MatchState

if TYPE_CHECKING:
    from pbem.play.core.context import Context


def leave(ctx: Context, event: Event, player: Player, reason: str = entries.ASKED) -> int:
    """Withdraw a player from a field; return at how many tables a robot plays on. Raises Refused if they cannot."""
    entries.withdraw(ctx, event, player, reason)
    held = (
        select(SeatHolder)
        .join(Match, Match.id == SeatHolder.match_id)
        .where(
            Match.event_id == event.id,
            Match.state == MatchState.RUNNING,
            SeatHolder.player_id == player.id,
            SeatHolder.left_at.is_(None),
        )
    )
    found = ctx.session.scalars(held.order_by(SeatHolder.match_id)).all()
    for holder in found:
        match = lock_match(ctx, holder.match_id)
        if match.state == MatchState.RUNNING:
            seat_changes.seat_robot(ctx, match, holder, by=f"seat {holder.seat}", reason=seat_changes.WITHDRAWN)
    return len(found)


def leave_all(ctx: Context, player: int, reason: str) -> None:
    """Withdraw a player from all fields."""
    theirs = select(Event).join(Entrant, Entrant.event_id == Event.id).where(Entrant.player_id == player)
    present = theirs.where(Entrant.state == EntrantState.ENTERED, Event.kind == EventKind.FIELD)
    for event in ctx.session.scalars(present.where(Event.state != EventState.OVER).order_by(Event.id)).all():
        leave(ctx, event, ctx.session.get_one(Player, player), reason)


def consequence(event: Event) -> str:
    """Return what leaving a field does now, in a sentence."""
    if event.state == EventState.OPEN:
        return _("The field has not begun: you can leave, and enter again until it begins.")
    return _("Robots play on in your seats, and at these tables you get two points less than the worst of all.")
