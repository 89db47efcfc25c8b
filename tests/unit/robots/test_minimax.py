"""The robot of Minimax: what it knows, and that it finds the best line where there are few."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pbem import robots
from tests.support.games.minimax_cases import GAME, GAMES, NO_CHANCE, ONE, after_moves, laid, started

if TYPE_CHECKING:
    from pbem.games.minimax.game import Position
    from pbem.robots import Thought

SEED = bytes(32)


def think(position: Position, playouts: int = 1200) -> Thought:
    robot = robots.find(GAME.key)
    assert robot
    return robot.think(GAME.view(position, ONE), playouts, SEED)


def most_points(position: Position) -> int:
    """Return the most points that any line makes."""
    outcome = GAME.outcome(position)
    if outcome:
        return outcome.scores[0]
    return max(most_points(GAME.apply(position, ONE, move, NO_CHANCE)) for move in GAME.moves(position, ONE))


@pytest.mark.parametrize("moves", range(len(GAMES[0]["moves"])))
def test_it_knows_the_position_from_what_its_seat_sees(moves: int) -> None:
    robot, position = robots.find(GAME.key), after_moves(moves)
    assert robot
    assert robot.know(GAME.view(position, ONE)) == position


def test_the_only_move_is_played_without_thinking() -> None:
    thought = think(laid("R1"))
    assert (thought.move, thought.playouts) == ("sow a R1", 0)


def test_a_tree_in_the_vault_is_finished() -> None:
    thought = think(laid("", "", "", "R1", "R3/R2", following="d"))
    assert thought.move == "sow d R1 on R3/R2"
    assert thought.tried[0].worth == 1


@pytest.mark.parametrize(
    "position",
    [
        laid("", "", "R3 R1", "Y2 G3", "R2", following="c"),
        laid("", "R3", "R2 G1", "R1 G3", "", following="any"),
        laid("R3/R2/R1", "", "", "G1", fresh="R3/R2/R1"),
    ],
)
def test_where_there_are_few_lines_the_best_is_found(position: Position) -> None:
    best = most_points(position)
    thought = think(position)
    assert most_points(GAME.apply(position, ONE, thought.move, NO_CHANCE)) == best


def test_lines_are_played_as_well_as_they_were_found() -> None:
    robot, position = robots.find(GAME.key), started(GAMES[0])
    assert robot
    found = robot.outlook(position, 240, SEED)
    while GAME.to_move(position):
        position = GAME.apply(position, ONE, think(position, 240).move, NO_CHANCE)
    played = robot.outlook(position, 240, SEED)
    assert played.points >= found.points > (0,)
    assert played.chances >= found.chances


def test_the_outlook_is_what_the_best_line_makes() -> None:
    robot, position = robots.find(GAME.key), after_moves(len(GAMES[0]["moves"]) - 2)
    assert robot
    assert robot.outlook(position, 1200, SEED).points == (most_points(position),)


def test_turns_are_ranked_by_what_their_best_line_makes() -> None:
    worths = [tried.worth for tried in think(started(GAMES[0]), 240).tried]
    assert len(worths) > 1
    assert worths == sorted(worths, reverse=True)


def test_more_playouts_follow_more_lines() -> None:
    position = started(GAMES[0])
    assert think(position, 240).playouts > think(position, 20).playouts
