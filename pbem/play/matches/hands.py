"""Number of the hand in games that deal several, from what spectators may see."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.games import Eye

if TYPE_CHECKING:
    from pbem.db.models import SeatHolder
    from pbem.play.matches.match_state import LoadedMatch


def number(course: LoadedMatch) -> int | None:
    """Return the number of the current hand, or None in a game that deals only once."""
    board = course.game.view(course.position, Eye.PUBLIC).board
    found = board.get("hand_number", board.get("round"))
    return found if isinstance(found, int) else None


def is_last(course: LoadedMatch) -> bool:
    """Return whether no other hand will be dealt."""
    board, current = course.game.view(course.position, Eye.PUBLIC).board, number(course)
    return current is None or current == board.get("hands", board.get("rounds"))


def is_over_for(course: LoadedMatch, robot: SeatHolder) -> bool:
    """Return whether the hand is over in which a player asked to reclaim their seat from this robot."""
    return robot.reclaim_hand is not None and number(course) != robot.reclaim_hand
