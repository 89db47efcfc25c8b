"""Rounds that nobody has seen yet: what a lead before them comes to.

A lead grows on average, because the seat that is behind leads the first trick of a round, which costs points.
"""

from __future__ import annotations

from functools import cache
from math import exp, fsum
from typing import TYPE_CHECKING, NamedTuple

from pbem.games.montauk.round import NULLS, ONE, RACE_PRIZE_POINTS
from pbem.games.montauk.track import PYRAMIDS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pbem.games import Seat

_ROUND_DEVIATION = 5.3
"""Standard deviation of a round's margin in points."""
_LEADERS_LOSS = 1.2
"""Points by which the leader of a round's first trick falls behind in it, on average."""
_MAX_MARGIN = PYRAMIDS + RACE_PRIZE_POINTS + NULLS
"""Greatest margin of a round in points."""
_MAX_LEAD = 12 * _MAX_MARGIN


class Prospect(NamedTuple):
    """What a seat's lead comes to at the end of the match: its share of wins, and its lead then."""

    chance: float
    lead: float


def prospect(lead: int, rounds_left: int, hair: Seat) -> Prospect:
    """Return what a lead of seat 1 comes to; the long-haired seat leads the next round if the scores are equal."""
    if hair == ONE:
        return _prospects(rounds_left)[lead]
    chance, after = _prospects(rounds_left)[-lead]
    return Prospect(1 - chance, -after)


@cache
def _prospects(rounds_left: int) -> Mapping[int, Prospect]:
    """Return what each lead of the long-haired seat comes to."""
    leads = range(-_MAX_LEAD, _MAX_LEAD + 1)
    if not rounds_left:
        return {lead: Prospect((1 + (lead > 0) - (lead < 0)) / 2, lead) for lead in leads}
    after, prospects = _prospects(rounds_left - 1), {}
    for lead in leads:
        sign = -1 if lead > 0 else 1
        ends = [(after[min(max(lead + sign * margin, -_MAX_LEAD), _MAX_LEAD)], share) for margin, share in _MARGINS]
        prospects[lead] = Prospect(*(fsum(end[at] * share for end, share in ends) for at in range(2)))
    return prospects


def _margin_shares() -> list[tuple[int, float]]:
    """Return how often the leader of a round comes to each margin in it."""
    margins = range(-_MAX_MARGIN, _MAX_MARGIN + 1)
    weights = [exp(-(((margin + _LEADERS_LOSS) / _ROUND_DEVIATION) ** 2) / 2) for margin in margins]
    # Rounded, as machines may differ in the last digits of an exponential.
    return [(margin, round(weight / fsum(weights), 9)) for margin, weight in zip(margins, weights, strict=True)]


_MARGINS = _margin_shares()
