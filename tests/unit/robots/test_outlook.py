"""Outlooks of positions: what ordinary play comes to, for every robot that is found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pbem import robots
from pbem.games import GAMES, Outcome, Seat
from pbem.robots import Outlook, outlook
from tests.support.games.random_play import Match, walk

if TYPE_CHECKING:
    from pbem.robots import Robot

THINKING = [robot for key in GAMES if (robot := robots.find(key))]
SEED = bytes(32)

every_robot = pytest.mark.parametrize("robot", THINKING, ids=lambda robot: robot.game)


def positions(robot: Robot[Any, Any]) -> list[Any]:
    """Return the positions of a match, the shortest that the game has."""
    rules = robot.rules
    lengths = {name: values for name, values in rules.options.items() if isinstance(values[0], int)}
    options = {name: min(values, key=str) for name, values in lengths.items()}
    turns = [*walk(Match(rules, rules.seats[0], options, SEED))]
    return [turns[0].before, *(turn.after for turn in turns)]


def test_a_win_that_seats_share_is_shared() -> None:
    ends = Outcome((3, 3, 1), (Seat(1), Seat(2))), Outcome((0, 2, 5), (Seat(3),))
    assert outlook.average(ends) == Outlook((0.25, 0.25, 0.5), (1.5, 2.5, 3.0))


@every_robot
def test_a_match_that_is_over_has_its_result(robot: Robot[Any, Any]) -> None:
    over = positions(robot)[-1]
    outcome = robot.rules.outcome(over)
    assert outcome
    assert robot.outlook(over, 5, SEED) == outlook.average([outcome])


@every_robot
def test_the_same_seed_comes_to_the_same(robot: Robot[Any, Any]) -> None:
    late = positions(robot)[-6:]
    begun = [robot.outlook(position, 3, SEED) for position in late]
    assert begun == [robot.outlook(position, 3, SEED) for position in late]


@every_robot
def test_ordinary_play_ends_every_match(robot: Robot[Any, Any]) -> None:
    rules, position = robot.rules, positions(robot)[0]
    found = outlook.by_the_rules(rules, position, 2, SEED)
    assert found == outlook.by_the_rules(rules, position, 2, SEED)
    assert len(found.chances) == len(found.points) == rules.seats[0]
    assert sum(found.chances) in ({1} if rules.seats[0] > 1 else {0, 0.5, 1})
