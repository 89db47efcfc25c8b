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

MEASURED = Path(__file__).with_name("match_lengths.toml")

SHORT: Mapping[str, Mapping[str, object]] = {
    "martian-whist": {"sets": 2},
    "martian-trickery": {"hands": 1},
    "montauk": {"rounds": 3},
}
"""Options that make a game short, offered first when a match is started."""

_SHARE = 4
"""Players use one part in this many of the time for a move, on average."""
_EXACT = 20
"""Maximum turns that are stated exactly; more are rounded to fives."""
_FEW_DAYS = 10
_WEEK = 7
_FEW_WEEKS = 13
_MONTH = 30.4


@dataclass(frozen=True, slots=True)
class Length:
    """Length of a match: turns of each player, and how often it waits for another player."""

    turns: float
    waits: float


def said(game: str, seats: int, options: Mapping[str, object], clock: str) -> str:
    """Return how long a match takes ("about 14 turns each, about 3 weeks"), or "" if it was never measured."""
    length = estimate(game, seats, options)
    if length is None:
        return ""
    parts = [turns(length, seats)]
    if seats > 1 and (days := time_controls.days(clock)):
        parts.append(lasting(length.waits * days / _SHARE))
    return ", ".join(parts)


def turns(length: Length, seats: int) -> str:
    """Return how many turns each player has, as text."""
    count = round(length.turns) if length.turns <= _EXACT else 5 * round(length.turns / 5)
    if seats == 1:
        return several("about one turn", "about {count} turns", count)
    return several("about one turn each", "about {count} turns each", count)


def lasting(days: float) -> str:
    """Return a duration as text: some days, weeks or months."""
    if days < _FEW_DAYS:
        return several("about a day", "about {count} days", max(1, round(days)))
    if days < _FEW_WEEKS * _WEEK:
        return several("about a week", "about {count} weeks", round(days / _WEEK))
    return several("about a month", "about {count} months", round(days / _MONTH))


def estimate(game: str, seats: int, options: Mapping[str, object]) -> Length | None:
    """Estimate the length of a match, or return None for a game that was never measured.

    Each option scales the length by the effect that it has alone.
    """
    rows = [row for row in _measured() if (row["game"], row["seats"]) == (game, seats)]
    if not rows:
        return None
    usual = rows[0]
    turned, waited = float(usual["turns"]), float(usual["waits"])
    for option, value in options.items():
        alone = _alone(rows, option, value)
        turned *= alone.turns / usual["turns"]
        waited *= alone.waits / usual["waits"]
    return Length(turned, waited)


def _alone(rows: Sequence[dict[str, Any]], option: str, value: object) -> Length:
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
def _measured() -> tuple[dict[str, Any], ...]:
    rows: list[dict[str, Any]] = tomllib.loads(MEASURED.read_text(encoding="utf-8"))["measured"]
    return tuple(rows)
