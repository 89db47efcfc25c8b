"""What tests of forking share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.games import GAMES
from pbem.play.lifecycle import endings
from pbem.play.matches.match_state import load_match, lock_match, play_move

if TYPE_CHECKING:
    from pbem.play.core.context import Context
    from pbem.play.matches.match_state import LoadedMatch
    from tests.support.house import House
SMALL: dict[str, tuple[int, dict[str, object]]] = {
    "minimax": (1, {}),
    "martian-whist": (2, {"sets": 2}),
    "martian-trickery": (3, {"hands": 1}),
    "amazonian-buffet": (2, {}),
    "montauk": (2, {"rounds": 1}),
}


def played(ctx: Context, match_id: str, most: int = 10_000, way: int = 0) -> LoadedMatch:
    """Play a match on by legal moves, to its end or so many of them."""
    course = load_match(ctx, lock_match(ctx, match_id))
    for number in range(most):
        seats = course.game.to_move(course.position)
        if not seats:
            endings.finish(ctx, course)
            break
        seat = seats[(number + way) % len(seats)]
        legal = course.game.view(course.position, seat).moves
        course = play_move(ctx, course, seat, legal[(7 * number + way) % len(legal)], ctx.now)
    return course


def finished(house: House, key: str) -> str:
    """Return a match that was played to its end."""
    seats, options = SMALL.get(key, (GAMES[key].seats[0], {}))
    match_id = house.start_match(key, seats, options)
    with house.transaction() as ctx:
        played(ctx, match_id)
    return match_id
