"""Forced moves: the setting by which the service plays for a player who has only one legal move."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.db.models import Deadline, SeatHolder
from pbem.play.lifecycle import autoplay, turn_mails
from pbem.play.matches.match_state import lock_match
from pbem.play.matches.seats import holders
from pbem.states import MatchState

if TYPE_CHECKING:
    from pbem.db.models import Match, Player
    from pbem.play.core.context import Context


def set_preference(ctx: Context, player: Player, *, on: bool) -> None:
    """Store whether the service plays forced moves for a player, and apply it to the turns they have now."""
    player.auto_play_forced = on
    seated = SeatHolder.match_id == Deadline.match_id, SeatHolder.seat == Deadline.seat, SeatHolder.left_at.is_(None)
    asked = select(Deadline.match_id).join(SeatHolder, seated[0] & seated[1]).where(SeatHolder.player_id == player.id)
    # Always lock matches in the same order, to avoid deadlocks.
    for match_id in sorted(set(ctx.session.scalars(asked.where(seated[2])))):
        match = lock_match(ctx, match_id)
        for holder in holders(ctx, match):
            if holder.player_id == player.id:
                apply(ctx, match, holder)


def apply(ctx: Context, match: Match, holder: SeatHolder) -> None:
    """Apply the setting to a player's turn in a match, which the caller must have locked."""
    if match.state == MatchState.RUNNING and autoplay.reschedule(ctx, match, holder):
        turn_mails.enqueue(ctx, match, {})
