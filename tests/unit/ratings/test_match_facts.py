"""Places of players: by scores, and by who left."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from pbem.ratings.match_facts import MatchFacts, SeatFacts, lost_on_time, ranks

SEATS = (SeatFacts(1, 11), SeatFacts(2, 12), SeatFacts(3, 13))
PLAYED = MatchFacts(
    "m", "martian-trickery", datetime(2026, 3, 2, tzinfo=UTC), "finished", frozenset({2}), (5, 9, 7), SEATS
)


@pytest.mark.parametrize(
    ("scores", "winners", "places"),
    [
        ((5, 9, 7), {2}, (2, 0, 1)),
        ((9, 9, 7), {1, 2}, (0, 0, 2)),
        ((9, 5, 5), {1}, (0, 1, 1)),
        ((9, 9, 7), {1}, (0, 1, 2)),
    ],
)
def test_final_scores_make_the_places_and_ties_share_them(
    scores: tuple[int, ...], winners: set[int], places: tuple[int, ...]
) -> None:
    assert ranks(replace(PLAYED, scores=scores, winners=frozenset(winners))) == places


@pytest.mark.parametrize("ending", ["resigned", "timed_out"])
def test_one_who_ends_a_match_is_last_and_the_others_share_the_first_place(ending: str) -> None:
    assert ranks(replace(PLAYED, ending=ending, scores=None, winners=frozenset({1, 3}))) == (0, 2, 0)


def test_an_agreed_draw_is_shared_by_all() -> None:
    assert ranks(replace(PLAYED, ending="agreed", scores=None, winners=frozenset({1, 2, 3}))) == (0, 0, 0)


def test_one_who_was_replaced_is_last_whatever_the_substitute_made_of_the_seat() -> None:
    left = (SEATS[0], replace(SEATS[1], was_replaced=True), SEATS[2])
    assert ranks(replace(PLAYED, seats=left)) == (1, 2, 0)


@pytest.mark.parametrize(
    ("ending", "places"), [("resigned", (0, 2, 1)), ("agreed", (0, 2, 0)), ("abandoned", (0, 2, 0))]
)
def test_one_who_was_replaced_is_behind_all_who_stayed_however_it_ends(ending: str, places: tuple[int, ...]) -> None:
    left = (SEATS[0], replace(SEATS[1], was_replaced=True), SEATS[2])
    winners = {"resigned": {1, 2}, "agreed": {1, 2, 3}, "abandoned": set[int]()}[ending]
    match = replace(PLAYED, seats=left, ending=ending, scores=None, winners=frozenset(winners))
    assert ranks(match) == places


def test_where_one_of_two_left_the_other_wins_even_if_they_lose_to_the_robot() -> None:
    pair = (SEATS[0], replace(SEATS[1], was_replaced=True))
    for ending, scores in (("finished", (3, 8)), ("resigned", None), ("timed_out", None), ("abandoned", None)):
        winners = frozenset({2} if ending != "abandoned" else ())
        assert ranks(replace(PLAYED, seats=pair, ending=ending, scores=scores, winners=winners)) == (0, 1)


def test_where_a_match_is_given_up_the_one_whose_time_ran_out_is_last() -> None:
    late = (SEATS[0], replace(SEATS[1], ran_out=True), SEATS[2])
    given_up = replace(PLAYED, ending="abandoned", scores=None, winners=frozenset())
    assert ranks(replace(given_up, seats=late)) == (0, 2, 0)
    assert lost_on_time(replace(given_up, seats=late)) == {12}
    gone = (SEATS[0], replace(SEATS[1], ran_out=True), replace(SEATS[2], was_replaced=True))
    assert ranks(replace(given_up, seats=gone)) == (0, 1, 2)
    assert ranks(given_up) == (0, 0, 0)


def test_whoever_stops_last_against_robots_has_not_lost_on_time() -> None:
    gone = (replace(SEATS[0], ran_out=True), *(replace(one, was_replaced=True) for one in SEATS[1:]))
    given_up = replace(PLAYED, seats=gone, ending="abandoned", scores=None, winners=frozenset())
    assert ranks(given_up) == (0, 1, 1)
    assert lost_on_time(given_up) == {12, 13}


def test_lost_on_time_are_those_who_ran_out_and_those_who_were_replaced() -> None:
    assert lost_on_time(replace(PLAYED, ending="timed_out", winners=frozenset({1, 3}))) == {12}
    assert lost_on_time(replace(PLAYED, seats=(replace(SEATS[0], was_replaced=True), *SEATS[1:]))) == {11}
    assert lost_on_time(replace(PLAYED, ending="resigned", winners=frozenset({1, 3}))) == set()
