"""A rating: an estimate of strength (mu) with its uncertainty (sigma), and how it is displayed."""

from __future__ import annotations

from dataclasses import dataclass, replace

FIRST_MU, FIRST_SIGMA = 25.0, 25.0 / 3
"""The rating of somebody who has not played yet."""
PROVISIONAL_MATCHES = 10
"""Number of matches below which a rating is provisional."""

_DISPLAYED_MEAN, _DISPLAYED_SCALE = 1500, 24
_SIGMA_PER_MONTH = 0.15
_DAYS_PER_MONTH = 30.4375


@dataclass(frozen=True, slots=True)
class Rating:
    """An estimate of strength, normally distributed around `mu`."""

    mu: float = FIRST_MU
    sigma: float = FIRST_SIGMA

    @property
    def points(self) -> int:
        """The rating as displayed: 1500 for somebody new."""
        return round(_DISPLAYED_MEAN + _DISPLAYED_SCALE * (self.mu - FIRST_MU))

    @property
    def margin(self) -> int:
        """The uncertainty in points: one standard deviation."""
        return round(_DISPLAYED_SCALE * self.sigma)

    def __str__(self) -> str:
        return f"{self.points} ± {self.margin}"


def rest(rating: Rating, days: float) -> Rating:
    """Return a rating after some days without a match: less certain, up to the uncertainty of somebody new."""
    grown = rating.sigma + _SIGMA_PER_MONTH * max(days, 0) / _DAYS_PER_MONTH
    return replace(rating, sigma=max(rating.sigma, min(FIRST_SIGMA, grown)))


def is_provisional(matches: int) -> bool:
    """Return whether a rating from so many matches is provisional."""
    return matches < PROVISIONAL_MATCHES
