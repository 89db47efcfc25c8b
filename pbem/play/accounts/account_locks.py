"""Locks of accounts, and of all that their players take part in.

The order is the same in all transactions, so that none waits for another one that waits for it: events, matches,
addresses, players; those of one kind by their ids.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.db.models import Address, Entrant, Event, Match, Player, SeatHolder
from pbem.play.events import entries
from pbem.play.matches.match_state import lock_match
from pbem.play.players import registry
from pbem.states import EntrantState, EventState, MatchState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Select

    from pbem.play.core.context import Context


def lock(ctx: Context, *players: int) -> set[str]:
    """Lock players, so that nobody can seat them meanwhile, and what they take part in; return their addresses."""
    for event in ctx.session.scalars(_entered(players)).all():
        entries.lock_event(ctx, event)
    for match in unfinished(ctx, *players):
        lock_match(ctx, match.id)
    emails = {*ctx.session.scalars(select(Address.email).where(Address.player_id.in_(players)))}
    registry.lock_addresses(ctx, emails)
    locked = select(Player).where(Player.id.in_(players)).order_by(Player.id).with_for_update()
    ctx.session.scalars(locked.execution_options(populate_existing=True)).all()
    return emails


def unfinished(ctx: Context, *players: int) -> list[Match]:
    """List the unfinished matches in which one of some players sits or is the host."""
    seated = select(SeatHolder.match_id).where(SeatHolder.player_id.in_(players), SeatHolder.left_at.is_(None))
    theirs = Match.id.in_(seated) | Match.host_id.in_(players)
    return list(ctx.session.scalars(select(Match).where(theirs, Match.state != MatchState.OVER).order_by(Match.id)))


def _entered(players: Sequence[int]) -> Select[int]:
    entered = select(Entrant.event_id).where(Entrant.player_id.in_(players), Entrant.state == EntrantState.ENTERED)
    return select(Event.id).where(Event.id.in_(entered), Event.state != EventState.OVER).order_by(Event.id)
