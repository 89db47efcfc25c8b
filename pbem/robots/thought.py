"""Levels of robots, and what comes of thinking."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pbem.games import Move


class Level(StrEnum):
    """Strength of a robot, the weakest first."""

    EASY = "easy"
    FAIR = "fair"
    STRONG = "strong"
    BEST = "best"


@dataclass(frozen=True, slots=True)
class Try:
    """A move that was considered: how often it was tried, and what came of it on average, from 0 to 1."""

    move: Move
    times: int
    worth: float


@dataclass(frozen=True, slots=True)
class Thought:
    """The move that was chosen, and what led to it: the moves considered, most tried first."""

    move: Move
    tried: tuple[Try, ...]
    playouts: int
