"""Effort of looking back: how many playouts and draws its figures come from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pbem.robots.thought import Level

if TYPE_CHECKING:
    from pbem.robots.robot import Robot

_PLAYOUTS_A_DRAW = 16
"""One of so many playouts of an outlook is made for each other draw."""
_PLAYOUTS_A_WORLD = 300
"""One of so many playouts of an outlook is made in each imagined position."""
_WORLDS = 2
"""One of so many playouts of an outlook is the largest number of imagined positions."""

_FEW_DRAWS = 32
"""Number of other draws where an outlook takes long."""


@dataclass(frozen=True, slots=True)
class Effort:
    """Numbers of playouts for an outlook and for a robot's choice, and of other draws in place of one.

    Where no outlook differs from another, `repeats` is false: one is enough wherever several would be averaged.
    """

    outlook: int
    choice: int
    draws: int = 128
    repeats: bool = True

    @classmethod
    def of(cls, robot: Robot[Any, Any]) -> Effort:
        """Return the effort that a robot's figures need: choices are those of the strong robot."""
        choice = robot.playouts.get(Level.STRONG) or max(robot.playouts.values())
        if robot.draws:
            return cls(robot.outlook_playouts, choice)
        return cls(robot.outlook_playouts, choice, _FEW_DRAWS, repeats=False)

    @property
    def draw(self) -> int:
        """Playouts for each other draw."""
        return max(1, self.outlook // _PLAYOUTS_A_DRAW) if self.repeats else self.outlook

    @property
    def world(self) -> int:
        """Playouts in each imagined position."""
        return max(1, self.outlook // _PLAYOUTS_A_WORLD) if self.repeats else self.outlook

    @property
    def worlds(self) -> int:
        """Number of imagined positions after which a difference is as exact as it gets."""
        return max(1, self.outlook // _WORLDS) if self.repeats else 1
