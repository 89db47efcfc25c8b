"""Turning points: bad moves are found and named, others are not."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from pbem import robots
from pbem.games import GAMES, Chance, Seat
from pbem.robots import Identity, Level
from pbem.robots.identity import record_name
from pbem.robots.looking_back import steps, turning_points
from pbem.robots.looking_back.comparing import Comparison, Tally
from pbem.robots.looking_back.effort import Effort
from pbem.robots.looking_back.history import read
from tests.support.games.suggested_match import suggested

if TYPE_CHECKING:
    from pbem.games.record import Record
    from pbem.robots.looking_back.history import Work

MINIMAX, WHIST = GAMES["minimax"], GAMES["martian-whist"]
EFFORT = Effort(outlook=30, choice=120, draws=1, repeats=False)


@cache
def blundered() -> tuple[Record, int]:
    """Play the worst turn where the best one makes five points more; return the record and the ply."""
    robot = robots.find(MINIMAX.key)
    assert robot
    history = read(suggested(MINIMAX.key))
    for made in history.moves:
        worth = {
            move: robot.outlook(MINIMAX.apply(made.before, made.seat, move, Chance(bytes(32))), 30, b"").points[0]
            for move in MINIMAX.moves(made.before, made.seat)
        }
        worst = min(worth, key=worth.__getitem__)
        if max(worth.values()) - worth[worst] >= 5:
            return suggested(MINIMAX.key, instead={made.ply: worst}), made.ply
    raise AssertionError("no turn matters")


def looked(record: Record) -> dict[str, Any]:
    result = [*steps(record, {}, EFFORT)][-1].result
    assert result is not None
    return result


def test_a_bad_move_is_a_turning_point() -> None:
    record, ply = blundered()
    points = looked(record)["turning_points"]
    losses = [point["best_value"] - point["value"] for point in points]
    assert losses == sorted(losses, reverse=True)
    point = next(point for point in points if point["ply"] == ply)
    assert point["best_value"] - point["value"] >= 5
    assert point["choices"][0] == {"move": point["best"], "value": point["best_value"]}
    assert {"move": point["played"], "value": point["value"]} in point["choices"]


def test_a_robots_bad_move_is_none() -> None:
    record, _ = blundered()
    name = record_name("Ada", Identity(Level.STRONG, 1))
    assert looked(replace(record, seats=(name,)))["turning_points"] == []


def test_values_of_a_comparison_are_means_with_the_error_of_their_difference() -> None:
    robot, rules = robots.find(WHIST.key), WHIST
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
    robot, rules = robots.find(WHIST.key), WHIST
    assert robot
    view = rules.view(rules.setup(2, {"sets": 2}, Chance(bytes(32))), Seat(1))
    comparison = Comparison(robot, Effort(300, 1), view, view.moves[0], bytes(32))
    move = view.moves[1]
    assert comparison.try_in(range(2), move).join(comparison.try_in(range(2, 4), move)) == comparison.try_in(
        range(4), move
    )


def test_only_differences_that_are_large_and_sure_are_named() -> None:
    record, seat, ply = with_bad_answer()
    robot = record_name("Ada", Identity(Level.FAIR, 1))
    history = read(replace(record, seats=("Ann", robot) if seat == 1 else (robot, "Ann")), Effort(160, 40))
    work: Work = {"choices": [], "others": [], "tally": None}
    for piece in (turning_points.examine, turning_points.try_others):
        while further := piece(history, work):
            work = further
    points = [*turning_points.collect(history, work)]
    assert ply in [made.ply for made, _ in points]
    assert len(points) <= turning_points.MAX_NAMED
    for made, tried in points:
        best = tried[0]
        assert made.seat == seat
        assert best["value"] - best["played"] >= max(3, 2 * best["error"])
        assert [each["value"] for each in tried] == sorted((each["value"] for each in tried), reverse=True)


def with_bad_answer() -> tuple[Record, Seat, int]:
    """Return a record of Whist in which a seat plays the worst tree in one of the last tricks, with seat and ply."""
    plain = read(suggested(WHIST.key), Effort(60, 1))
    for made in plain.choices[::-1]:
        view = WHIST.view(made.before, made.seat)
        comparison = Comparison(plain.robot, plain.effort, view, made.move, bytes(32))
        losses = {move: -comparison.judge(comparison.try_in(range(20), move)).loss for move in view.moves}
        worst = max(losses, key=losses.__getitem__)
        if losses[worst] > 40:
            return suggested(WHIST.key, instead={made.ply: worst}), made.seat, made.ply
    raise AssertionError("no answer matters")
