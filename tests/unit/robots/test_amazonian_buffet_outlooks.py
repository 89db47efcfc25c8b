"""Outlooks of Amazonian Buffet: what claims come to, and what hands that are sealed or about to be do."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations, product
from typing import TYPE_CHECKING

import pytest

from pbem.games.amazonian_buffet.layouts import format_layout, split_hands
from pbem.robots import Robot, outlook
from pbem.robots.amazonian_buffet import BuffetRobot, outlooks
from pbem.robots.amazonian_buffet.pools import pool_of, strongest_three
from tests.support.games.buffet_cases import (
    FEW,
    GAME,
    ONE,
    OTHER,
    OWN,
    TWO,
    VECTORS,
    after_board,
    dealt,
    of_example,
    sealed,
    with_stones,
)

if TYPE_CHECKING:
    from pbem.games.amazonian_buffet.position import Position
    from pbem.robots import Outlook

ROBOT = BuffetRobot(GAME)
SEED = bytes(32)
LAID_OUT = sealed(sealed(FEW, ONE, OWN), TWO, OTHER)
"""Both layouts are shown."""


def find(position: Position, playouts: int = 1) -> Outlook:
    return ROBOT.outlook(position, playouts, SEED)


def exchanged(position: Position) -> Position:
    """Return a position of the layout stage whose seats have each other's cards."""
    deal = replace(position.deal, dealt=position.deal.dealt[::-1])
    return replace(position, deal=deal, stones=position.stones[::-1])


# -- sealed stages -----------------------------------------------------------------------------------


def test_a_match_with_one_layout_to_go_has_the_mean_of_its_results() -> None:
    """Seat 2 answers as suggested half of the time, and else plays the hands suggested at first in any order."""
    position = sealed(LAID_OUT, ONE, "keep")
    orders = permutations(split_hands(GAME.suggest(FEW, TWO)[0]))
    ends = [GAME.suggest(position, TWO)[0]] * 6 + [*map(format_layout, orders)]
    outcomes = [GAME.outcome(sealed(position, TWO, end)) for end in ends]
    mean = outlook.average([outcome for outcome in outcomes if outcome])
    assert find(position).chances == pytest.approx(mean.chances)
    assert find(position).points == pytest.approx(mean.points)


def test_what_a_seat_has_sealed_counts() -> None:
    kept = sealed(LAID_OUT, ONE, "keep")
    spoilt = sealed(LAID_OUT, ONE, "hands - | - | KD 9S 2S")
    assert find(spoilt).chances[0] < find(kept).chances[0]


def test_a_layout_is_followed_by_the_strongest_of_the_other_seat() -> None:
    strongest, *_ = GAME.suggest(FEW, TWO)
    one_sealed = sealed(FEW, ONE, OWN)
    assert find(one_sealed) == find(sealed(one_sealed, TWO, strongest))


@pytest.mark.parametrize("compare", ["cards", "poker"])
def test_it_does_not_matter_which_seat_is_which(compare: str) -> None:
    position = after_board("a1 c3 f5 d4", "b2 c8 e6", compare=compare)
    found, turned = find(position), find(exchanged(position))
    assert turned.chances == pytest.approx(found.chances[::-1])
    assert turned.points == pytest.approx(found.points[::-1])


def test_sealed_stages_are_much_like_play_by_suggestions() -> None:
    """Within 20 of 100: seats follow the suggestion half of the time, not seven times in eight."""
    slow, fast = Robot.outlook(ROBOT, FEW, 60, SEED), find(FEW)
    assert fast.chances == pytest.approx(slow.chances, abs=0.2)
    assert fast.points == pytest.approx(slow.points, abs=0.4)


# -- board stage -------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(len(VECTORS["games"])))
def test_the_last_turn_comes_to_much_what_the_sealed_stages_do(number: int) -> None:
    turns = next(at for at in range(1, 100) if of_example(number, at).phase == "layout")
    board, layout = find(of_example(number, turns - 1), 100), find(of_example(number, turns))
    assert board.chances == pytest.approx(layout.chances, abs=0.1)


def test_more_cards_are_worth_more() -> None:
    found = find(with_stones(((1 << 12) - 1) << 18, 0, dealt()), 20)
    assert found.chances[0] > 0.8
    assert found.points[0] > 2.4


def test_playouts_differ() -> None:
    found = [ROBOT.outlook(dealt(), 1, bytes([seed] * 32)) for seed in range(10)]
    assert len({each.points for each in found}) > 1


# -- strengths ---------------------------------------------------------------------------------------


def test_hands_that_all_win_or_lose_leave_nothing_to_guess() -> None:
    won, lost = (tuple(tuple([wins] * 3) for _ in range(3)) for wins in (True, False))
    assert outlooks.value_by_wins(won) == (1, 3)
    assert outlooks.value_by_wins(lost) == (0, 0)


def test_what_one_seat_wins_the_other_loses() -> None:
    for row in product(product((False, True), repeat=3), repeat=3):
        other = tuple(tuple(not row[own][at] for own in range(3)) for at in range(3))
        (chance, won), (other_chance, other_won) = outlooks.value_by_wins(row), outlooks.value_by_wins(other)
        assert chance + other_chance == pytest.approx(1)
        assert won + other_won == pytest.approx(3)


def test_equal_strengths_are_even() -> None:
    three = strongest_three(pool_of(["AS", "KS", "QS", "JS", "TS", "9H", "9D", "2C"]))
    assert outlooks.value_by_strengths(three, three) == pytest.approx((0.5, 1.5, 1.5))
