"""The sealed stages as the robot of Amazonian Buffet plays them: what it imagines, and how it mixes layouts."""

from __future__ import annotations

from collections import Counter
from math import comb
from typing import TYPE_CHECKING

import pytest

from pbem import robots
from pbem.games import Stream
from pbem.games.amazonian_buffet import layouts
from pbem.games.amazonian_buffet.layouts import KEEP
from pbem.games.hidden import Hidden
from pbem.games.poker import contest
from pbem.robots.amazonian_buffet import knowledge
from pbem.robots.amazonian_buffet.sealed import CERTAIN, DRAW, WIN, mix
from tests.support.games.buffet_cases import FEW, GAME, ONE, OTHER, OWN, TWO, after_board, of_example, played, sealed

if TYPE_CHECKING:
    from pbem.games.amazonian_buffet.position import Position
    from pbem.games.hidden import Seat
    from pbem.robots import Thought

SEED = bytes(32)
FEW_LAYOUTS = 3**3
"""Number of ways to divide three cards."""
CHI_SQUARE_LIMIT = 54.05
"""Exceeded once in a thousand with 26 degrees of freedom."""
ROCK_PAPER_SCISSORS = [[DRAW, 0, WIN], [WIN, DRAW, 0], [0, WIN, DRAW]]


def know(position: Position, seat: Seat) -> knowledge.Known:
    return knowledge.gather(GAME.view(position, seat))


def imagined_move(position: Position, seat: Seat, stream: Stream) -> str:
    secret = knowledge.imagine(know(position, seat), stream).sealed[2 - seat]
    assert isinstance(secret, Hidden)
    return secret.value


def think(position: Position, seat: Seat, playouts: int = 200, seed: bytes = SEED) -> Thought:
    robot = robots.find(GAME.key)
    assert robot
    return robot.think(GAME.view(position, seat), playouts, seed)


# -- imagining -----------------------------------------------------------------------------------


@pytest.mark.parametrize("cards", [2, 3, 4])
def test_layouts_are_counted_as_the_rules_list_them(cards: int) -> None:
    assert knowledge.count_layouts(cards) == sum(1 for _ in layouts.all_layouts(range(cards)))


def test_of_sixteen_cards_any_may_be_left_out() -> None:
    assert knowledge.count_layouts(16) == 16 * knowledge.count_layouts(15) == 16 * comb(15, 5) * comb(10, 5)


def test_every_layout_that_may_be_sealed_is_imagined_equally_often() -> None:
    position, stream, each = sealed(FEW, TWO, OTHER), Stream(SEED, "layouts"), 100
    counts = Counter(imagined_move(position, ONE, stream) for _ in range(each * FEW_LAYOUTS))
    assert set(counts) == set(GAME.moves(FEW, TWO))
    assert sum((count - each) ** 2 / each for count in counts.values()) < CHI_SQUARE_LIMIT


def test_keeping_is_imagined_as_often_as_any_layout() -> None:
    position, stream = sealed(played(OWN, OTHER, position=FEW), TWO, KEEP), Stream(SEED, "keep")
    kept = sum(imagined_move(position, ONE, stream) == KEEP for _ in range(1400))
    assert 25 <= kept <= 80


def test_large_pools_are_divided_into_full_hands() -> None:
    position = of_example(0, 35)
    stream = Stream(SEED, "large")
    hands = layouts.split_hands(knowledge.draw_layout(position.pool(ONE), stream))
    assert [len(hand) for hand in hands] == [5, 5, 5]
    assert GAME.allows(position, ONE, layouts.format_layout(hands))


def test_numbers_beyond_those_of_a_stream_are_drawn_evenly() -> None:
    n, stream = 3 << 32, Stream(SEED, "large")
    drawn = [knowledge.draw_below(stream, n) for _ in range(600)]
    assert all(0 <= number < n for number in drawn)
    assert all(140 <= sum(number >> 32 == third for number in drawn) <= 260 for third in range(3))


def test_numbers_beyond_the_limit_are_drawn_again() -> None:
    n, stream = (1 << 32) + 1, Stream(SEED, "again")
    assert all(knowledge.draw_below(stream, n) < n for _ in range(20))


# -- mixing --------------------------------------------------------------------------------------


def test_rock_paper_and_scissors_are_played_equally_often() -> None:
    weights, values = mix(ROCK_PAPER_SCISSORS, 0, 200)
    assert weights == pytest.approx([333, 333, 333], abs=20)
    assert values == pytest.approx([CERTAIN] * 3, rel=0.05)


def test_paper_is_played_against_who_is_expected_to_play_rock() -> None:
    weights, _ = mix(ROCK_PAPER_SCISSORS, CERTAIN, 200)
    assert weights[1] > 950


def test_who_expects_rock_half_of_the_time_is_not_beaten_by_scissors() -> None:
    """Scissors and paper in turn: half rock and half scissors would beat paper alone no less than it wins."""
    weights, _ = mix(ROCK_PAPER_SCISSORS, CERTAIN // 2, 200)
    assert weights[1] == max(weights)
    assert weights[2] < 100


def test_what_is_never_better_is_not_played() -> None:
    weights, _ = mix([[WIN, DRAW], [DRAW, 0]], 0, 200)
    assert weights[1] == 0


# -- choosing ------------------------------------------------------------------------------------


def test_layouts_are_chosen_among_several_by_the_seed() -> None:
    position = of_example(0, 35)
    moves = {think(position, ONE, seed=bytes([number]) * 32).move for number in range(8)}
    assert len(moves) > 1
    assert all(GAME.allows(position, ONE, move) for move in moves)


def test_weights_are_of_a_thousand_and_the_largest_come_first() -> None:
    thought = think(FEW, ONE)
    times = [tried.times for tried in thought.tried]
    assert times == sorted(times, reverse=True)
    assert 900 < sum(times) <= 1000
    assert thought.playouts == 200


def test_hands_that_win_against_every_answer_win() -> None:
    """Seat 1 holds four cards more than seat 2, whose two dealt ones cannot win two hands."""
    position = after_board("f3 c8 d1 e1")
    assert think(position, ONE).tried[0].worth > 0.95


def test_shown_hands_that_still_win_may_be_kept() -> None:
    position = played("hands KD | 9S | 2S", "hands - | - | AH 5C 3S", position=FEW)
    moves = [tried.move for tried in think(position, ONE).tried]
    assert layouts.format_layout((("KD",), ("9S",), ("2S",))) not in moves


def test_what_the_other_seat_is_expected_to_answer_is_answered() -> None:
    """Seat 2 is expected to answer the hands shown: the robot plays what wins against that, or mixes it in."""
    position = played(OWN, OTHER, position=FEW)
    expected = GAME.suggest(position, TWO)[0]
    likely = layouts.split_hands(OTHER if expected == KEEP else expected)
    thought = think(position, ONE)
    own = layouts.split_hands(OWN if thought.tried[0].move == KEEP else thought.tried[0].move)
    assert hands_won(own, likely) >= hands_won(likely, own)


def hands_won(own: layouts.Layout, other: layouts.Layout) -> int:
    return sum(contest(a, b, "cards") > 0 for a, b in zip(own, other, strict=True))
