"""What the end of a round is worth: the chance to win the match."""

from __future__ import annotations

from math import exp, sqrt
from typing import TYPE_CHECKING

from pbem.games.montauk.round import NULLS, RACE_PRIZE_POINTS
from pbem.games.montauk.track import PYRAMIDS
from pbem.robots.montauk.kinds import PIPS

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.games import Seat
    from pbem.games.montauk.round import Score
    from pbem.robots.montauk.playing import Ending

_ROUND_DEVIATION = 5.7
"""Standard deviation of a round's margin in points."""
_MAX_MARGIN = PYRAMIDS + RACE_PRIZE_POINTS + NULLS
"""Greatest margin of a round in points."""
_NORMAL_AS_LOGISTIC = 1.7
"""Factor by which a logistic curve comes nearest to the normal distribution."""
_POINTS_PER_E = 4
"""Margin in points by which the last round is played for as if it were as sure as e to 1."""
_RESULT_SHARE = 0.8
"""Share of the last round's worth that is who wins; the rest is by how much."""


def prospect(score: Score, seat: Seat) -> Callable[[Ending], float]:
    """Return a function of how the current round ends: what this is worth to a seat, from 0 to 1."""
    rounds_left = score.rounds - score.round
    ahead, pips_ahead = score.scores[0] - score.scores[1], score.pips[0] - score.pips[1]
    sign = 1 if seat == 1 else -1
    points_per_e = _ROUND_DEVIATION * sqrt(rounds_left) / _NORMAL_AS_LOGISTIC or _POINTS_PER_E

    # Rounded, as machines may differ in the last digits of an exponential.
    chances = {
        margin: round(1 / (1 + exp(-sign * (ahead + margin) / points_per_e)), 9)
        for margin in range(-_MAX_MARGIN, _MAX_MARGIN + 1)
    }

    def worth(ending: Ending) -> float:
        chance = chances[ending.margin]
        if rounds_left:
            return chance
        margin = sign * (ahead + ending.margin)
        lead = margin or sign * (PIPS[ending.two] - PIPS[ending.one] - pips_ahead)
        result = 0.5 if not lead else float(lead > 0)
        return _RESULT_SHARE * result + (1 - _RESULT_SHARE) * chance

    return worth
