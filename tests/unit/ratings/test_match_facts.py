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


def test_lost_on_time_are_those_who_ran_out_and_those_who_were_replaced() -> None:
    assert lost_on_time(replace(PLAYED, ending="timed_out", winners=frozenset({1, 3}))) == {12}
    assert lost_on_time(replace(PLAYED, seats=(replace(SEATS[0], was_replaced=True), *SEATS[1:]))) == {11}
    assert lost_on_time(replace(PLAYED, ending="resigned", winners=frozenset({1, 3}))) == set()
