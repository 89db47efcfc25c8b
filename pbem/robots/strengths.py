"""Measured strengths of robots: how often a level wins against another one, and how long it thinks."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING

from pbem.robots.thought import Level

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date

RANDOM = "random"
"""Opponent that plays any legal move."""
_FILE = "strengths.toml"


@dataclass(frozen=True, slots=True)
class Strength:
    """Share of its matches that a level of a game's robot wins; its interval of 95 % is from `low` to `high`.

    - `against`: level of all other seats, or `random`.
    - `options`: of the matches that were measured, one of each deal for each seat.
    - `ms`: processor time for a move, in milliseconds: the median.
    """

    game: str
    edition: int
    level: Level
    against: str
    seats: int
    share: float
    low: float
    high: float
    deals: int
    day: date
    ms: int
    options: Mapping[str, object]


def parse(text: str) -> tuple[Strength, ...]:
    """Parse a file of strengths; raises ValueError, TypeError or KeyError if an entry is not complete and right."""
    return tuple(_strength(**entry) for entry in tomllib.loads(text).get("measured", ()))


@cache
def measured() -> tuple[Strength, ...]:
    """Return the strengths of all levels that were measured."""
    return parse(files(__package__).joinpath(_FILE).read_text("utf-8"))


def find(game: str, level: Level, seats: int) -> Strength | None:
    """Return the strength of a level, with as many seats if that was measured; None if nothing was."""
    found = [entry for entry in measured() if (entry.game, entry.level) == (game, level)]
    return next((entry for entry in found if entry.seats == seats), next(iter(found), None))


def _strength(*, level: str, against: str, options: Mapping[str, object] | None = None, **more: object) -> Strength:
    opponent = against if against == RANDOM else Level(against)
    figures = {**more, "level": Level(level), "against": opponent, "options": MappingProxyType(dict(options or {}))}
    return Strength(**figures)  # type: ignore[arg-type]
