"""The model that turns ranks into ratings: Bradley–Terry in pairs of neighbours, by openskill.

The same input gives the same floats on one machine with one release of openskill. Another processor, C library or
release may differ in the last bits; recomputing then changes digits that no page shows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from openskill.models import BradleyTerryPart

from pbem.ratings.rating import FIRST_MU, FIRST_SIGMA, Rating

if TYPE_CHECKING:
    from collections.abc import Sequence

_MODEL = BradleyTerryPart(mu=FIRST_MU, sigma=FIRST_SIGMA)


def rate(ranks: Sequence[int], ratings: Sequence[Rating]) -> list[Rating]:
    """Return the ratings after a match; ranks[i] is the place of ratings[i], lower is better, equal is a tie."""
    teams = [[_MODEL.rating(mu=one.mu, sigma=one.sigma)] for one in ratings]
    return [Rating(one.mu, one.sigma) for (one,) in _MODEL.rate(teams, ranks=[float(rank) for rank in ranks])]


def win_chances(ratings: Sequence[Rating]) -> list[float]:
    """Return the chance of each of some ratings to win a match between them; they add up to 1."""
    teams = [[_MODEL.rating(mu=one.mu, sigma=one.sigma)] for one in ratings]
    return list(_MODEL.predict_win(teams))
