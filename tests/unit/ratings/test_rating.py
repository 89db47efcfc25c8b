"""A rating: how it is displayed, and how it grows less certain at rest."""

from __future__ import annotations

import pytest

from pbem.ratings.rating import FIRST_SIGMA, PROVISIONAL_MATCHES, Rating, is_provisional, rest


@pytest.mark.parametrize(
    ("rating", "displayed"),
    [(Rating(), "1500 ± 200"), (Rating(25.5, 2.9166), "1512 ± 70"), (Rating(24.9, 6), "1498 ± 144")],
)
def test_a_rating_is_displayed_in_points(rating: Rating, displayed: str) -> None:
    assert str(rating) == displayed


def test_it_is_provisional_until_ten_matches() -> None:
    assert [is_provisional(matches) for matches in (0, PROVISIONAL_MATCHES - 1, PROVISIONAL_MATCHES)] == [
        True,
        True,
        False,
    ]


def test_a_month_of_rest_adds_to_what_is_uncertain() -> None:
    rested = rest(Rating(30.0, 3.0), 30.4375)
    assert rested.mu == 30
    assert rested.sigma == pytest.approx(3.15)


def test_nobody_is_less_certain_than_somebody_new() -> None:
    assert rest(Rating(30.0, 3.0), 100_000).sigma == FIRST_SIGMA


def test_no_time_at_all_changes_nothing() -> None:
    assert rest(Rating(30.0, 3.0), 0) == rest(Rating(30.0, 3.0), -1) == Rating(30.0, 3.0)
