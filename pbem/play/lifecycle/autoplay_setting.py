"""Forced moves: the setting by which the service plays for a player who has only one legal move."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from pbem.db.models import Deadline
from pbem.play.deadlines import turn_deadlines
from pbem.play.lifecycle import autoplay
from pbem.play.matches.match_state import lock_match
from pbem.play.matches.seats import holders
from pbem.states import MatchState

if TYPE_CHECKING:
    from pbem.db.models import Match, Player, SeatHolder
    from pbem.play.core.context import Context


def set_preference(ctx: Context, player: Player, *, on: bool) -> None:
    """Store whether the service plays forced moves for a player, and apply it to the turns they have now."""
    player.auto_play_forced = on
    turns = select(Deadline.match_id).where(turn_deadlines.belongs_to_player(player.id))
    # Always lock matches in the same order, to avoid deadlocks.
    for match_id in sorted(set(ctx.session.scalars(turns))):
        match = lock_match(ctx, match_id)
        for holder in holders(ctx, match):
            if holder.player_id == player.id:
                apply(ctx, match, holder)


def apply(ctx: Context, match: Match, holder: SeatHolder) -> None:
    """Apply the setting to a player's turn in a match, which the caller must have locked."""
    if match.state == MatchState.RUNNING:
        autoplay.reschedule(ctx, match, holder)
