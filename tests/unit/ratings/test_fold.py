"""The fold of matches into ratings: which count, against which ratings, and that folding in parts is the same."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.ratings.eligibility import Reason
from pbem.ratings.fold import Counted, Decision, Standing, fold
from pbem.ratings.match_facts import MatchFacts, SeatFacts, lost_on_time
from pbem.ratings.model import rate
from pbem.ratings.rating import Rating, rest
from tests.support.examples import examples

if TYPE_CHECKING:
    from collections.abc import Sequence

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
ANN, BOB, CAT = 1, 2, 3
LEFT = SeatFacts(1, ANN), SeatFacts(2, BOB, was_replaced=True)
BOTH_LEFT = SeatFacts(1, ANN, was_replaced=True), LEFT[1]


def won(days: float = 0, winner: int = ANN, loser: int = BOB, **more: Any) -> MatchFacts:
    """Return a match of two that the first seat won, so many days after noon."""
    seats = SeatFacts(1, winner), SeatFacts(2, loser)
    known = MatchFacts(f"m{days}", "montauk", NOON + timedelta(days=days), "finished", frozenset({1}), (9, 5), seats)
    return replace(known, **more)


def reasons(*matches: MatchFacts) -> list[Reason | None]:
    return [decision.reason for decision in fold(matches, {}, ())]


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({}, None),
        ({"seats": (SeatFacts(1, ANN),)}, Reason.SOLO),
        ({"began_with_robot": True}, Reason.ROBOT),
        ({"began_with_unrated_bot": True}, Reason.BOT),
        ({"is_public": False}, Reason.PRIVATE),
        ({"is_fork": True}, Reason.FORK),
        ({"is_import": True, "seats": ()}, Reason.IMPORTED),
        ({"is_rated": False}, Reason.FRIENDLY),
        ({"is_annulled": True}, Reason.ANNULLED),
        ({"ending": "aborted", "winners": frozenset()}, Reason.VOID),
        ({"ending": "abandoned", "winners": frozenset()}, Reason.VOID),
        ({"seats": (SeatFacts(1, ANN), SeatFacts(2, ANN))}, Reason.SAME_PERSON),
        ({"seats": (SeatFacts(1, ANN), SeatFacts(2, BOB, is_confirmed=False))}, Reason.UNCONFIRMED),
        ({"ending": "agreed", "moves": 9, "usual_moves": 40}, Reason.SHORT_DRAW),
        ({"ending": "agreed", "moves": 10, "usual_moves": 40}, None),
        ({"ending": "resigned", "moves": 1, "usual_moves": 40}, None),
        ({"ending": "aborted", "winners": frozenset(), "seats": LEFT}, Reason.VOID),
        ({"ending": "abandoned", "winners": frozenset(), "seats": LEFT}, None),
        ({"ending": "abandoned", "winners": frozenset(), "seats": BOTH_LEFT}, Reason.VOID),
        ({"ending": "agreed", "moves": 1, "usual_moves": 40, "seats": LEFT}, None),
    ],
)
def test_what_counts_has_no_reason_and_what_does_not_has_one(more: dict[str, Any], reason: Reason | None) -> None:
    (decision,) = fold([won(**more)], {}, ())
    assert decision.reason == reason
    assert bool(decision.changes) == (reason is None)


def test_of_a_pair_two_matches_count_in_thirty_days() -> None:
    days = (0, 1, 2, 29.9, 30, 31.1)
    assert reasons(*map(won, days)) == [None, None, Reason.PAIR_LIMIT, Reason.PAIR_LIMIT, None, None]


def test_matches_of_events_are_beside_the_limit_of_a_pair() -> None:
    season = [won(day, is_of_event=True) for day in range(3)]
    assert reasons(*season, won(4), won(5), won(6), won(7, is_of_event=True)) == [*[None] * 5, Reason.PAIR_LIMIT, None]


def test_the_limit_of_a_pair_holds_for_all_games_together() -> None:
    assert reasons(won(0), won(1, game="minimax"), won(2))[-1] == Reason.PAIR_LIMIT


def test_others_are_not_held_by_the_limit_of_a_pair() -> None:
    assert reasons(won(0), won(1), won(2, loser=CAT)) == [None, None, None]


def test_of_one_person_three_losses_on_time_count_in_thirty_days() -> None:
    lost = [won(day, winner=10 + day, ending="timed_out", scores=None) for day in range(5)]
    assert reasons(*lost, won(31, winner=20, ending="timed_out")) == [
        None,
        None,
        None,
        Reason.TIMEOUT_LIMIT,
        Reason.TIMEOUT_LIMIT,
        None,
    ]


def test_one_who_vanished_is_still_rated_where_they_play() -> None:
    lost = [won(day, winner=10 + day, ending="timed_out", scores=None) for day in range(3)]
    assert reasons(*lost, won(4, winner=BOB, loser=CAT)) == [None] * 4


def test_each_match_is_rated_against_the_ratings_of_that_moment() -> None:
    first, second = fold([won(0), won(15)], {}, ())
    assert [change.after.rating for change in first.changes] == rate([0, 1], [Rating(), Rating()])
    before = [rest(change.after.rating, 15) for change in first.changes]
    assert [change.before for change in second.changes] == before
    assert [change.after.rating for change in second.changes] == rate([0, 1], before)
    assert [change.after.matches for change in second.changes] == [2, 2]


def test_each_game_has_ratings_of_its_own() -> None:
    _montauk, minimax = fold([won(0), won(1, game="minimax")], {}, ())
    assert [change.before for change in minimax.changes] == [Rating(), Rating()]


@st.composite
def seasons(draw: st.DrawFn) -> list[MatchFacts]:
    """Draw matches of a few people in the order of their ends."""
    days = sorted(draw(st.lists(st.floats(0, 120), min_size=2, max_size=25)))
    return [
        won(
            day,
            *draw(st.permutations([ANN, BOB, CAT, 4, 5]))[:2],
            game=draw(st.sampled_from(["montauk", "minimax"])),
            ending=draw(st.sampled_from(["finished", "timed_out", "agreed", "aborted"])),
            began_with_robot=draw(st.booleans()),
        )
        for day in days
    ]


def folded_in_parts(matches: Sequence[MatchFacts], size: int) -> list[Decision]:
    standings: dict[tuple[int, str], Standing] = {}
    counted: list[Counted] = []
    decided: list[Decision] = []
    for first in range(0, len(matches), size):
        for decision in [*fold(matches[first : first + size], standings, counted)]:
            decided.append(decision)
            standings |= {(one.player, decision.match.game): one.after for one in decision.changes}
            if decision.reason is None:
                players = frozenset(one.player for one in decision.changes)
                counted.append(Counted(decision.match.ended_at, players, lost_on_time(decision.match)))
    return decided


@settings(max_examples=examples(100), deadline=None)
@given(seasons(), st.integers(1, 7))
def test_in_parts_it_comes_to_the_same_bytes(matches: list[MatchFacts], size: int) -> None:
    assert folded_in_parts(matches, size) == [*fold(matches, {}, ())]


@settings(max_examples=examples(100), deadline=None)
@given(seasons())
def test_matches_of_robots_forks_and_imports_change_nothing(matches: list[MatchFacts]) -> None:
    for name in ("began_with_robot", "is_fork", "is_import"):
        changed = [replace(match, **{name: True}) for match in matches]  # type: ignore[arg-type]
        assert not any(decision.changes for decision in fold(changed, {}, ()))
    people = [match for match in matches if not match.began_with_robot]
    with_robots = [decision for decision in fold(matches, {}, ()) if not decision.match.began_with_robot]
    assert with_robots == [*fold(people, {}, ())]


@settings(max_examples=examples(100), deadline=None)
@given(seasons(), st.data())
def test_leaving_costs_what_losing_does_and_is_never_a_way_out(matches: list[MatchFacts], data: st.DataObject) -> None:
    ends = st.sampled_from(["finished", "resigned", "timed_out", "agreed", "abandoned"])
    for match in matches:
        leaver = replace(match.seats[1], was_replaced=True)
        left = replace(match, seats=(match.seats[0], leaver), began_with_robot=False, ending=data.draw(ends))
        lost = replace(match, began_with_robot=False, ending="timed_out", scores=None, winners=frozenset({1}))
        (one,), (other,) = fold([left], {}, ()), fold([lost], {}, ())
        assert [change.after for change in one.changes] == [change.after for change in other.changes]
