"""Robots of all games, found and asked by the key of their game."""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any

import pbem.robots
from pbem.games import GAMES, iter_classes
from pbem.robots.levels import QUICK_LEVELS, any_move, choose_quickly
from pbem.robots.robot import Robot

if TYPE_CHECKING:
    from pbem.games import View
    from pbem.robots.thought import Level, Thought

__all__ = ["QUICK_LEVELS", "any_move", "choose_quickly", "edition", "find", "levels", "think"]


@cache
def _robots() -> dict[str, Robot[Any, Any]]:
    ours = iter_classes(pbem.robots.__path__, "pbem.robots", Robot)  # type: ignore[type-abstract]
    theirs = (entry.load() for entry in entry_points(group="pbem.robots"))
    return {robot.game: robot(GAMES[robot.game]) for robot in (*ours, *theirs) if robot.game in GAMES}


def find(game: str) -> Robot[Any, Any] | None:
    """Return the robot of a game, or None if it has none of its own."""
    return _robots().get(game)


def levels(game: str) -> tuple[Level, ...]:
    """Return the levels of a game, the weakest first."""
    robot = find(game)
    return QUICK_LEVELS if robot is None else (*QUICK_LEVELS, *robot.playouts)


def edition(game: str) -> int:
    """Return the edition of a game's robot, which names how it chooses its moves."""
    robot = find(game)
    return 1 if robot is None else robot.edition


def think(game: str, view: View, level: Level, seed: bytes, playouts: int | None = None) -> Thought:
    """Choose a move by thinking, with as many playouts as the level has; KeyError if the game has no such level."""
    robot = _robots()[game]
    return robot.think(view, playouts or robot.playouts[level], seed)
