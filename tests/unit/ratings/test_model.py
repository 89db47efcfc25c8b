"""Laws of rating a match, whoever plays it."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.ratings.model import rate, win_chances
from pbem.ratings.rating import Rating
from tests.support.examples import examples

if TYPE_CHECKING:
    from collections.abc import Sequence

many = settings(max_examples=examples(300), deadline=None)
ratings = st.builds(Rating, st.floats(5, 45), st.floats(1, 25 / 3))


@st.composite
def matches(draw: st.DrawFn) -> tuple[list[int], list[Rating]]:
    seats = draw(st.integers(2, 4))
    return (
        draw(st.lists(st.integers(0, seats - 1), min_size=seats, max_size=seats)),
        draw(st.lists(ratings, min_size=seats, max_size=seats)),
    )


def rising(before: Sequence[Rating], after: Sequence[Rating]) -> list[float]:
    return [now.mu - was.mu for was, now in zip(before, after, strict=True)]


@many
@given(matches())
def test_winning_alone_never_lowers_and_losing_alone_never_raises(match: tuple[list[int], list[Rating]]) -> None:
    places, before = match
    rises = rising(before, rate(places, before))
    if places.count(min(places)) == 1:
        assert rises[places.index(min(places))] >= 0
    if places.count(max(places)) == 1:
        assert rises[places.index(max(places))] <= 0


@many
@given(matches(), ratings)
def test_tied_seats_of_equal_rating_move_alike(match: tuple[list[int], list[Rating]], equal: Rating) -> None:
    places, before = match
    tied = [place == min(places) for place in places]
    before = [equal if is_tied else was for is_tied, was in zip(tied, before, strict=True)]
    after = [now for is_tied, now in zip(tied, rate(places, before), strict=True) if is_tied]
    assert [now.mu for now in after] == pytest.approx([after[0].mu] * len(after))
    assert [now.sigma for now in after] == pytest.approx([after[0].sigma] * len(after))


@many
@given(matches(), ratings)
def test_among_equals_a_better_place_never_ends_below_a_lower_one(
    match: tuple[list[int], list[Rating]], equal: Rating
) -> None:
    places, before = match
    after = rate(places, [equal] * len(before))
    best_first = [now.mu for _place, now in sorted(zip(places, after, strict=True), key=lambda pair: pair[0])]
    assert all(upper >= lower - 1e-9 for upper, lower in pairwise(best_first))


@many
@given(matches(), st.randoms(use_true_random=False))
def test_the_order_of_seats_does_not_matter(match: tuple[list[int], list[Rating]], shuffled: object) -> None:
    places, before = match
    order = list(range(len(places)))
    shuffled.shuffle(order)  # type: ignore[attr-defined]
    straight = rate(places, before)
    crossed = rate([places[seat] for seat in order], [before[seat] for seat in order])
    assert [now.mu for now in crossed] == pytest.approx([straight[seat].mu for seat in order])
    assert [now.sigma for now in crossed] == pytest.approx([straight[seat].sigma for seat in order])


@many
@given(matches())
def test_the_same_match_gives_the_same_bytes(match: tuple[list[int], list[Rating]]) -> None:
    assert rate(*match) == rate(*match)


def test_the_first_win_is_63_points() -> None:
    assert [one.points for one in rate([0, 1], [Rating(), Rating()])] == [1563, 1437]


def test_chances_add_up_and_favour_the_stronger() -> None:
    strong, weak = win_chances([Rating(30.0, 2.0), Rating(25.0, 2.0)])
    assert strong > weak
    assert strong + weak == pytest.approx(1)
