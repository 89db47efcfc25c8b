"""Ladders: who may challenge whom, and what becomes of the places."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.events import ladder
from pbem.events.ladder import Absence, Challenge, Obstacle

if TYPE_CHECKING:
    from pbem.events.ladder import Order

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)
TEN = tuple(range(1, 11))
ORDERS = st.integers(2, 70).flatmap(lambda length: st.permutations(range(1, length + 1))).map(tuple)


@st.composite
def matches(draw: st.DrawFn) -> tuple[Order, int, int, int | None, int | None]:
    """Draw an order, two of its players, who won, and who of the others lost on time."""
    order = draw(ORDERS)
    two = draw(st.permutations(order))[:2]
    winner = draw(st.sampled_from([*two, None]))
    late = draw(st.sampled_from([one for one in two if winner not in {one, None}] + [None]))
    return order, two[0], two[1], winner, late


def obstacle(
    challenger: int, challenged: int, *challenges: Challenge, order: Order = TEN, away: frozenset[int] = frozenset()
) -> Obstacle | None:
    return ladder.obstacle(order, challenges, away, NOW, challenger, challenged)


@given(matches())
def test_places_have_no_gaps_after_a_match(match: tuple[Order, int, int, int | None, int | None]) -> None:
    order, challenger, challenged, winner, late = match
    assert sorted(ladder.after_match(order, challenger, challenged, winner, late)) == sorted(order)


@given(matches())
def test_only_the_two_change_their_place_by_more_than_the_places_they_pass(
    match: tuple[Order, int, int, int | None, int | None],
) -> None:
    order, challenger, challenged, winner, late = match
    after = ladder.after_match(order, challenger, challenged, winner, late)
    others = [player for player in order if player not in {challenger, challenged}]
    assert [player for player in after if player in others] == others
    assert all(abs(after.index(player) - order.index(player)) <= 1 for player in others)


@given(matches())
def test_a_challenger_who_wins_has_the_place_and_those_between_are_one_lower(
    match: tuple[Order, int, int, int | None, int | None],
) -> None:
    order, challenger, challenged, *_rest = match
    after = ladder.after_match(order, challenger, challenged, challenger)
    place, own = order.index(challenged), order.index(challenger)
    if own < place:
        assert after == order
    else:
        assert after[place] == challenger
        assert after[:place] + after[place + 1 : own + 1] + after[own + 1 :] == ladder.without(order, challenger)


@given(matches())
def test_nothing_changes_by_a_draw_or_by_a_defence(match: tuple[Order, int, int, int | None, int | None]) -> None:
    order, challenger, challenged, *_rest = match
    assert ladder.after_match(order, challenger, challenged, None) == order
    assert ladder.after_match(order, challenger, challenged, challenged) == order


@given(ORDERS, st.data())
def test_a_loss_on_time_leads_five_places_down_or_to_the_last(order: Order, data: st.DataObject) -> None:
    player = data.draw(st.sampled_from(order))
    after = ladder.drop(order, player)
    assert after.index(player) == min(order.index(player) + 5, len(order) - 1)
    assert ladder.without(after, player) == ladder.without(order, player)


def test_a_challenger_whom_the_other_lets_win_on_time_has_the_place_first() -> None:
    assert ladder.after_match(TEN, 5, 2, 5, late=2) == (1, 5, 3, 4, 6, 7, 8, 2, 9, 10)


def test_a_challenger_who_loses_on_time_goes_down() -> None:
    assert ladder.after_match(TEN, 3, 2, 2, late=3) == (1, 2, 4, 5, 6, 7, 8, 3, 9, 10)


@pytest.mark.parametrize("gone", [2, 5])
def test_a_match_with_somebody_who_has_left_changes_no_place(gone: int) -> None:
    order = ladder.without(TEN, gone)
    assert ladder.after_match(order, 5, 2, 5) == order
    assert ladder.after_match(order, 5, 2, 7 - gone, late=gone) == order


@given(matches())
def test_a_match_that_is_annulled_at_once_leaves_the_order_as_it_was(
    match: tuple[Order, int, int, int | None, int | None],
) -> None:
    order, challenger, _challenged, _winner, late = match
    after = ladder.after_match(*match)
    assert ladder.after_annulment(after, challenger, late, ladder.shift_of_match(*match)) == order


@given(matches(), st.data())
def test_a_match_that_is_annulled_later_moves_nobody_else_by_more_than_two_places(
    match: tuple[Order, int, int, int | None, int | None], data: st.DataObject
) -> None:
    order, challenger, challenged, _winner, late = match
    later = tuple(data.draw(st.permutations(order)))
    after = ladder.after_annulment(later, challenger, late, ladder.shift_of_match(*match))
    others = [player for player in later if player not in {challenger, challenged}]
    assert sorted(after) == sorted(later)
    assert [player for player in after if player in others] == others
    assert all(abs(after.index(player) - later.index(player)) <= 2 for player in others)


def test_a_match_that_is_annulled_moves_nobody_who_has_left() -> None:
    shift = ladder.shift_of_match(TEN, 6, 2, 6, 2)
    assert ladder.after_annulment((1, 3, 4, 5), 6, 2, shift) == (1, 3, 4, 5)
    assert ladder.shift_of_match((1, 3, 4, 5), 6, 2, 6, 2) == (0, 0)


def test_a_challenge_that_counts_as_lost_moves_both_as_a_match_does() -> None:
    assert ladder.after_forfeit(TEN, 4, 2) == (1, 4, 2, 3, 5, 6, 7, 8, 9, 10)


@given(ORDERS)
def test_new_players_are_last_and_those_below_a_leaver_move_up(order: Order) -> None:
    assert ladder.join(order, 99) == (*order, 99)
    assert ladder.without((99, *order), 99) == order


@given(ORDERS, st.data())
def test_those_who_can_be_reached_are_the_nearest_above(order: Order, data: st.DataObject) -> None:
    player = data.draw(st.sampled_from(order))
    near = ladder.reachable(order, player)
    own = order.index(player)
    assert order[own - len(near) : own] == near
    assert len(near) == min(own, max(5, len(order) // 10))
    allowed = {other for other in order if obstacle(player, other, order=order) is None}
    assert allowed == {*near}


@pytest.mark.parametrize(("length", "places"), [(2, 5), (59, 5), (60, 6), (100, 10), (1000, 100)])
def test_the_reach_is_five_places_or_a_tenth_of_the_ladder(length: int, places: int) -> None:
    assert ladder.reach(length) == places


@pytest.mark.parametrize(
    ("challenger", "challenged", "why"),
    [
        (11, 3, Obstacle.NOT_ENTERED),
        (3, 11, Obstacle.NOT_LISTED),
        (3, 3, Obstacle.ONESELF),
        (3, 4, Obstacle.BELOW),
        (7, 1, Obstacle.TOO_HIGH),
        (7, 2, None),
    ],
)
def test_places_decide_who_can_be_challenged(challenger: int, challenged: int, why: Obstacle | None) -> None:
    assert obstacle(challenger, challenged) is why


def test_nobody_challenges_or_is_challenged_on_vacation() -> None:
    assert obstacle(7, 6, away=frozenset({7})) is Obstacle.AWAY
    assert obstacle(7, 6, away=frozenset({6})) is Obstacle.THEY_ARE_AWAY


def test_one_has_one_challenge_out_at_a_time() -> None:
    assert obstacle(7, 6, Challenge(7, 5)) is Obstacle.HAS_CHALLENGED
    assert obstacle(7, 6, Challenge(7, 5, NOW)) is None
    assert obstacle(7, 6, Challenge(8, 7)) is None, "who is challenged may challenge too"


def test_one_has_one_challenge_from_others_at_a_time_and_the_first_five_two() -> None:
    assert obstacle(8, 6, Challenge(7, 6)) is Obstacle.THEY_ARE_CHALLENGED
    assert obstacle(8, 5, Challenge(7, 5)) is None
    assert obstacle(8, 5, Challenge(7, 5), Challenge(9, 5)) is Obstacle.THEY_ARE_CHALLENGED
    assert obstacle(8, 6, Challenge(6, 2)) is None


@pytest.mark.parametrize("first", [Challenge(7, 6, NOW - 29 * DAY), Challenge(6, 7, NOW - 29 * DAY)])
def test_the_same_two_meet_again_after_thirty_days(first: Challenge) -> None:
    assert obstacle(7, 6, first) is Obstacle.REMATCH
    assert obstacle(7, 6, Challenge(first.challenger, first.challenged, NOW - 30 * DAY)) is None


def test_the_same_two_do_not_challenge_each_other_both_ways() -> None:
    assert obstacle(7, 6, Challenge(6, 7)) is Obstacle.REMATCH


def test_a_challenge_lapses_after_five_days_and_a_vacation_extends_them_for_some_time() -> None:
    assert ladder.lapses_at(NOW) == NOW + 5 * DAY
    assert ladder.lapses_at(NOW, 3 * DAY) == NOW + 8 * DAY
    assert ladder.lapses_at(NOW, 40 * DAY) == NOW + 14 * DAY


def test_the_time_in_which_the_service_was_down_extends_the_time_for_an_answer_without_limit() -> None:
    assert ladder.lapses_at(NOW, down=40 * DAY) == NOW + 45 * DAY
    assert ladder.lapses_at(NOW, 40 * DAY, down=2 * DAY) == NOW + 16 * DAY


def test_a_second_decline_in_thirty_days_counts_as_lost() -> None:
    assert not ladder.decline_counts_as_lost([], NOW)
    assert not ladder.decline_counts_as_lost([NOW - 30 * DAY], NOW)
    assert ladder.decline_counts_as_lost([NOW - 60 * DAY, NOW - 29 * DAY], NOW)


def test_two_losses_on_time_one_after_the_other_lead_off_the_ladder() -> None:
    assert [ladder.is_off(losses) for losses in range(3)] == [False, False, True]


@pytest.mark.parametrize(
    ("days", "has_offer", "what"),
    [
        (34, False, Absence.NONE),
        (35, False, Absence.ASK),
        (44, False, Absence.ASK),
        (45, False, Absence.OFF),
        (45, True, Absence.ASK),
        (58, True, Absence.ASK),
        (59, True, Absence.OFF),
    ],
)
def test_who_plays_no_match_is_asked_and_then_off(days: int, *, has_offer: bool, what: Absence) -> None:
    assert ladder.absence(NOW - days * DAY, NOW, has_offer=has_offer) is what
