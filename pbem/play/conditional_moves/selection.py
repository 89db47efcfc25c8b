"""Choose the move that the service plays for a seat, and why, from what that seat may know."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from pbem.games import Seat
from pbem.play.conditional_moves import plan_store, robot_moves
from pbem.play.matches import hands

if TYPE_CHECKING:
    from pbem.db.models import SeatHolder
    from pbem.games import Move
    from pbem.play.core.context import Context
    from pbem.play.matches.match_state import LoadedMatch

BOT, PLANNED, FORCED = "bot", "planned", "forced"
"""Why the service plays for a seat: it is a robot's, the player has planned the move, or the move is forced and the
player wants forced moves played.
"""


@dataclass(frozen=True, slots=True)
class Choice:
    """A move that the service plays for a seat, and why; a plan may have it resign (`plans.RESIGN`)."""

    move: Move
    why: str


def choose(ctx: Context, course: LoadedMatch, holder: SeatHolder) -> Choice | None:
    """Choose the move that the service plays for a seat now; None where a person has to choose."""
    seat = Seat(holder.seat)
    if holder.player.is_robot:
        # The player reclaims the seat with the next hand: its first move is theirs.
        return None if hands.is_over_for(course, holder) else Choice(robot_moves.choose(ctx, course, holder), BOT)
    if planned := plan_store.next_move(ctx, course, holder):
        return Choice(planned, PLANNED)
    if holder.player.auto_play_forced and (move := only_move(course, seat)):
        return Choice(move, FORCED)
    return None


def only_move(course: LoadedMatch, seat: Seat) -> Move | None:
    """Return the only legal move of a seat, or None; generates no more than two moves."""
    moves = list(islice(course.game.moves(course.position, seat), 2))
    return moves[0] if len(moves) == 1 else None
