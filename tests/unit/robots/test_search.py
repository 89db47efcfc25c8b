"""Search by playouts, in small games whose best moves are known."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pbem import robots
from pbem.games import GAMES, Chance, Eye, Seat
from pbem.robots import Level

if TYPE_CHECKING:
    from pbem.games.martian_whist.game import Position

WHIST = GAMES["martian-whist"]


def last_tricks(left: int) -> Position:
    """Play a match by suggestions until some pairs of trees are left."""
    chance = Chance(bytes(32))
    position = WHIST.setup(2, {"sets": 2}, chance)
    while WHIST.view(position, Eye.PUBLIC).board["trick"] != 6 - left:
        seat = WHIST.to_move(position)[0]
        position = WHIST.apply(position, seat, WHIST.suggest(position, seat)[-1], chance)
    return position  # type: ignore[no-any-return]


def best_margin(position: Position, seat: Seat) -> int:
    """Return the margin of the first seat under perfect play."""
    outcome = WHIST.outcome(position)
    if outcome:
        return outcome.scores[seat - 1] - outcome.scores[2 - seat]
    mover = WHIST.to_move(position)[0]
    after = (WHIST.apply(position, mover, move, Chance(bytes(32))) for move in WHIST.moves(position, mover))
    return (max if mover == seat else min)(best_margin(each, seat) for each in after)


def test_the_last_tricks_are_played_as_well_as_they_can_be() -> None:
    position = last_tricks(2)
    seat = WHIST.to_move(position)[0]
    thought = robots.think(WHIST.key, WHIST.view(position, seat), Level.STRONG, bytes(32))
    after = WHIST.apply(position, seat, thought.move, Chance(bytes(32)))
    assert best_margin(after, seat) == best_margin(position, seat)


def test_a_forced_move_needs_no_playouts() -> None:
    position = last_tricks(1)
    seat = WHIST.to_move(position)[0]
    only = [*WHIST.moves(position, seat)]
    assert len(only) == 1
    thought = robots.think(WHIST.key, WHIST.view(position, seat), Level.STRONG, bytes(32))
    assert (thought.move, thought.playouts) == (only[0], 0)


def test_all_playouts_are_counted_and_the_move_is_the_one_tried_most() -> None:
    view = WHIST.view(WHIST.setup(2, {}, Chance(bytes(32))), Seat(1))
    thought = robots.think(WHIST.key, view, Level.STRONG, bytes(32), playouts=100)
    assert sum(tried.times for tried in thought.tried) == thought.playouts == 100
    assert thought.tried[0].move == thought.move
    assert thought.tried[0].times == max(tried.times for tried in thought.tried)


def test_a_level_that_the_game_does_not_have_is_a_key_error() -> None:
    view = WHIST.view(WHIST.setup(2, {}, Chance(bytes(32))), Seat(1))
    with pytest.raises(KeyError):
        robots.think(WHIST.key, view, Level.FAIR, bytes(32))
