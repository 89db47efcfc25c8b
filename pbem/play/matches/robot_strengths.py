"""Sentences about how strong a robot is, from what was measured."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.i18n import _, several
from pbem.play.matches import descriptions
from pbem.robots import Level, strengths
from pbem.time_format import format_date_of_year

if TYPE_CHECKING:
    from pbem.robots.strengths import Strength

_AT_ONCE_MS = 100
_QUARTER_MS, _HALF_MS, _SECOND_MS = 375, 750, 1000
"""Maximum times that are called a quarter and a half of a second; and a second."""


def describe(game: str, level: Level, seats: int) -> str:
    """Return one sentence about the strength of a game's level in a match of some seats; empty if it is not known."""
    found = strengths.find(game, level, seats)
    return _sentence(found) if found else ""


def _sentence(found: Strength) -> str:
    against = _("random moves") if found.against == strengths.RANDOM else descriptions.level_name(Level(found.against))
    return several(
        "Of 100 matches against {against} it wins {share} ({low} to {high}), measured {day}; {thinking}.",
        "Of 100 matches against {number} others, all {against}, it wins {share} ({low} to {high}; an equal one would "
        "win {even}), measured {day}; {thinking}.",
        found.seats - 1,
        against=against,
        share=_percent(found.share),
        low=_percent(found.low),
        high=_percent(found.high),
        even=_percent(1 / found.seats),
        day=format_date_of_year(found.day),
        thinking=_thinking(found.ms),
    )


def _percent(share: float) -> int:
    return round(100 * share)


def _thinking(ms: int) -> str:
    """Describe how long a move takes."""
    if ms < _AT_ONCE_MS:
        return _("plays at once")
    if ms < _QUARTER_MS:
        return _("thinks about a quarter of a second")
    if ms < _HALF_MS:
        return _("thinks about half a second")
    return several("thinks about a second", "thinks about {number} seconds", round(ms / _SECOND_MS))
