"""Estimated length of a match in turns and weeks, from matches that were played out (`make lengths`)."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.i18n import several
from pbem.play.clocks import time_controls

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MEASUREMENTS_PATH = Path(__file__).with_name("match_lengths.toml")

SHORT_OPTIONS: Mapping[str, Mapping[str, object]] = {
    "martian-whist": {"sets": 2},
    "martian-trickery": {"hands": 1},
    "montauk": {"rounds": 3},
}
"""Options that make a game short, offered first when a match is started."""

_THINKING_TIME_DIVISOR = 4
"""Players use one part in this many of the time for a move, on average."""
_MAX_EXACT_TURNS = 20
"""Maximum turns that are stated exactly; more are rounded to fives."""
_MIN_DAYS_FOR_WEEKS, _MIN_DAYS_FOR_MONTHS = 10, 91
_DAYS_PER_MONTH = 30.4


@dataclass(frozen=True, slots=True)
class Length:
    """Length of a match: turns of each player, and how often it waits for another player."""

    turns: float
    waits: float


def describe(game: str, seats: int, options: Mapping[str, object], clock: str) -> str:
    """Return how long a match takes ("about 14 turns each, about 3 weeks"), or "" if it was never measured."""
    length = estimate(game, seats, options)
    if length is None:
        return ""
    parts = [describe_turns(length, seats)]
    if seats > 1 and (days := time_controls.days_per_move(clock)):
        parts.append(describe_duration(length.waits * days / _THINKING_TIME_DIVISOR))
    return ", ".join(parts)


def describe_turns(length: Length, seats: int) -> str:
    """Return how many turns each player has, as text."""
    count = round(length.turns) if length.turns <= _MAX_EXACT_TURNS else 5 * round(length.turns / 5)
    if seats == 1:
        return several("about one turn", "about {count} turns", count)
    return several("about one turn each", "about {count} turns each", count)


def describe_duration(days: float) -> str:
    """Return a duration as text: some days, weeks or months."""
    if days < _MIN_DAYS_FOR_WEEKS:
        return several("about a day", "about {count} days", max(1, round(days)))
    if days < _MIN_DAYS_FOR_MONTHS:
        return several("about a week", "about {count} weeks", round(days / 7))
    return several("about a month", "about {count} months", round(days / _DAYS_PER_MONTH))


def estimate(game: str, seats: int, options: Mapping[str, object]) -> Length | None:
    """Estimate the length of a match, or return None for a game that was never measured.

    Each option scales the length by the effect that it has alone.
    """
    rows = _load_measurements().get((game, seats))
    if not rows:
        return None
    usual = rows[0]
    turned, waited = float(usual["turns"]), float(usual["waits"])
    for option, value in options.items():
        alone = _with_option(rows, option, value)
        turned *= alone.turns / usual["turns"]
        waited *= alone.waits / usual["waits"]
    return Length(turned, waited)


def _with_option(rows: Sequence[dict[str, Any]], option: str, value: object) -> Length:
    """Return the length of a match with one option changed: measured, or interpolated between two measurements."""
    usual = rows[0]
    others = {key: kept for key, kept in usual["options"].items() if key != option}
    alike = [row for row in rows if {key: kept for key, kept in row["options"].items() if key != option} == others]
    known = {row["options"].get(option): Length(row["turns"], row["waits"]) for row in alike}
    if value in known or not isinstance(value, int) or isinstance(value, bool) or len(known) == 1:
        return known.get(value, Length(usual["turns"], usual["waits"]))
    below = max((one for one in known if one < value), default=min(known))
    above = min((one for one in known if one > value), default=max(known))
    share = (value - below) / (above - below) if above > below else 0
    low, high = known[below], known[above]
    return Length(low.turns + share * (high.turns - low.turns), low.waits + share * (high.waits - low.waits))


@cache
def _load_measurements() -> dict[tuple[str, int], list[dict[str, Any]]]:
    """Load the measurements by game and number of seats, those with the usual options first."""
    by_game: dict[tuple[str, int], list[dict[str, Any]]] = {}
    for row in tomllib.loads(MEASUREMENTS_PATH.read_text(encoding="utf-8"))["measured"]:
        by_game.setdefault((row["game"], row["seats"]), []).append(row)
    return by_game
