"""Turning points: bad moves are found and named, others are not."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pbem import robots
from pbem.games import GAMES, Chance, Seat
from pbem.robots import Identity, Level
from pbem.robots.identity import record_name
from pbem.robots.looking_back import steps
from pbem.robots.looking_back.comparing import Comparison, Tally
from pbem.robots.looking_back.effort import Effort
from pbem.robots.looking_back.history import read
from tests.support.games.suggested_match import suggested

if TYPE_CHECKING:
    from pbem.games.record import Record

MINIMAX = GAMES["minimax"]
EFFORT = Effort(outlook=60, choice=120, draws=1, repeats=False)


def blundered() -> tuple[Record, int]:
    """Play the worst turn where the best one makes five points more; return the record and the ply."""
    robot = robots.find(MINIMAX.key)
    assert robot
    history = read(suggested(MINIMAX.key))
    for made in history.moves:
        worth = {
            move: robot.outlook(MINIMAX.apply(made.before, made.seat, move, Chance(bytes(32))), 60, b"").points[0]
            for move in MINIMAX.moves(made.before, made.seat)
        }
        worst = min(worth, key=worth.__getitem__)
        if max(worth.values()) - worth[worst] >= 5:
            return suggested(MINIMAX.key, instead={made.ply: worst}), made.ply
    raise AssertionError("no turn matters")


def looked(record: Record, effort: Effort = EFFORT) -> dict[str, Any]:
    result = [*steps(record, {}, effort)][-1].result
    assert result is not None
    return result


def test_a_bad_move_is_a_turning_point() -> None:
    record, ply = blundered()
    point = next(point for point in looked(record)["turning_points"] if point["ply"] == ply)
    assert point["best_value"] - point["value"] >= 5
    assert point["choices"][0] == {"move": point["best"], "value": point["best_value"]}
    assert {"move": point["played"], "value": point["value"]} in point["choices"]


def test_a_robots_bad_move_is_none() -> None:
    record, _ = blundered()
    name = record_name("Ada", Identity(Level.STRONG, 1))
    assert looked(replace(record, seats=(name,)))["turning_points"] == []


def test_the_greatest_loss_comes_first() -> None:
    record, _ = blundered()
    losses = [point["best_value"] - point["value"] for point in looked(record)["turning_points"]]
    assert losses == sorted(losses, reverse=True)


def test_values_of_a_comparison_are_means_with_the_error_of_their_difference() -> None:
    robot, rules = robots.find("martian-whist"), GAMES["martian-whist"]
    assert robot
    view = rules.view(rules.setup(2, {"sets": 2}, Chance(bytes(32))), Seat(1))
    comparison = Comparison(robot, Effort(300, 1), view, view.moves[0], bytes(32))
    # Of four worlds the move wins three, and the one played wins two of these.
    found = comparison.judge(Tally(4, [3.0, 1.0], [2.0, 2.0], 1.0, 1.0))
    assert found.played == 50
    assert found.value > 50
    assert 0 < found.loss < 50
    # The mean difference is a quarter, its variance 3/16, of which a third is that of the mean.
    assert round(found.error / found.loss, 6) == 1


def test_worlds_are_the_same_however_they_are_divided() -> None:
    robot, rules = robots.find("martian-whist"), GAMES["martian-whist"]
    assert robot
    view = rules.view(rules.setup(2, {"sets": 2}, Chance(bytes(32))), Seat(1))
    comparison = Comparison(robot, Effort(300, 1), view, view.moves[0], bytes(32))
    move = view.moves[1]
    assert comparison.try_in(range(2), move).join(comparison.try_in(range(2, 4), move)) == comparison.try_in(
        range(4), move
    )
