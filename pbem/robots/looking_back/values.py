"""Values of positions in the unit of looking back: chances of 100, or points in a game for one."""

from __future__ import annotations

from math import fsum
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pbem.robots.outlook import Outlook
    from pbem.robots.robot import Robot

Values: TypeAlias = "list[float]"
"""A value for each seat."""

HUNDRED = 100
_DIGITS = 9
"""Digits to which values are rounded: machines may differ in the last digits of a power."""


def raw(outlook: Outlook) -> Values:
    """Return what is averaged: shares of wins, or points in a game for one."""
    return [*(outlook.chances if len(outlook.chances) > 1 else outlook.points)]


def scale(averages: Sequence[float], sharpness: float) -> Values:
    """Return averages as values: chances are made as sure as they were found to be in matches."""
    if len(averages) == 1:
        return [*averages]
    weights = [average**sharpness for average in averages]
    whole = fsum(weights)
    return [round(HUNDRED * weight / whole, _DIGITS) for weight in weights]


def of_position(robot: Robot[Any, Any], position: Any, playouts: int, seed: bytes) -> Values:
    """Return the values of a position with all cards seen."""
    return scale(raw(robot.outlook(position, playouts, seed)), robot.sharpness_at(position))


def mean(some: Iterable[Sequence[float]]) -> Values:
    """Return the mean value of each seat."""
    return [fsum(seat) / len(seat) for seat in zip(*some, strict=True)]
