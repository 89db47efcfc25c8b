"""The board stage as the robot of Amazonian Buffet sees it: what pools are worth, and which cards to claim."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem import robots
from pbem.games.amazonian_buffet.turns import BOARD
from pbem.games.cards import DECK
from pbem.games.chance import Chance
from pbem.games.hidden import Eye
from pbem.games.poker import LEVELS, level
from pbem.robots.amazonian_buffet import draft, tree
from pbem.robots.amazonian_buffet.pools import pool_of, share_won, strongest_three
from tests.support.examples import examples
from tests.support.games.buffet_cases import GAME, dealt, with_stones
from tests.support.games.laws import turns_of

if TYPE_CHECKING:
    from pbem.games.amazonian_buffet.position import Position
    from pbem.robots.amazonian_buffet.draft import Draft

SEED = bytes(32)
ROYAL = LEVELS.index("royal flush")


def strengths(cards: str) -> tuple[int, int, int]:
    return strongest_three(pool_of(cards.split()))


def levels(cards: str) -> list[str]:
    """Return the names of the levels of the three hands that the robot finds; strengths count royal flushes as 9."""
    return [LEVELS[strength >> 13] for strength in strengths(cards)]


# -- pools ---------------------------------------------------------------------------------------


@given(st.lists(st.sampled_from(DECK), min_size=5, max_size=5, unique=True))
def test_five_cards_have_the_level_of_the_rules(cards: list[str]) -> None:
    assert strongest_three(pool_of(cards))[0] >> 13 == min(level(cards), ROYAL - 1)


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ("AS KS QS JS TS 5H 4H 3H 2H AH 7C", ["straight flush", "straight flush", "high card"]),
        ("9S 9H 9D 9C 2S 2H 2D 5C 5H", ["four of a kind", "full house", "empty"]),
        ("KD 9D 7D 4D 2D QS JH TC 9S 8H 3C 3S", ["flush", "straight", "one pair"]),
        ("AS 2H 3D 4C 5S 7H 7D KS KH QC", ["straight", "two pair", "high card"]),
        ("8S 8H 8D 4C", ["three of a kind", "high card", "empty"]),
        ("", ["empty", "empty", "empty"]),
    ],
)
def test_the_strongest_hand_is_taken_first(cards: str, expected: list[str]) -> None:
    assert levels(cards) == expected


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("6S 5S 4S 3S 2S", "5H 4H 3H 2H AH"),
        ("AS KS QS JS TS", "KH QH JH TH 9H"),
        ("9S 9H 9D 9C", "8S 8H 8D 8C AS"),
        ("AS QS 9S 7S 3S", "AH QH 9H 7H 2H"),
        ("6S 5H 4D 3C 2S", "5D 4H 3D 2C AS"),
    ],
)
def test_ranks_decide_between_equal_levels(better: str, worse: str) -> None:
    assert strengths(better)[0] > strengths(worse)[0]


def test_a_pool_is_worth_the_ways_to_pair_the_hands_in_which_it_wins_two() -> None:
    assert share_won((9, 8, 1), (7, 6, 5)) == 1
    assert share_won((9, 4, 3), (8, 7, 2)) == pytest.approx(4 / 6)
    assert share_won((9, 8, 7), (9, 8, 7)) == pytest.approx(1 / 6)


# -- the board in numbers ------------------------------------------------------------------------


@settings(max_examples=examples(10), deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_draft_has_the_turns_of_the_rules_that_claim_if_any_do_and_comes_to_the_same(data: st.DataObject) -> None:
    _, turns = turns_of(data, GAME.key)
    for turn in turns:
        if turn.before.phase != "board":
            break
        found = draft.begin(turn.before)
        legal = list(GAME.moves(turn.before, turn.seat))
        claiming = [move for move in legal if not move.endswith((" none", "pass"))]
        texts = {draft.turn_text(one): one for one in found.turns()}
        assert sorted(texts) == sorted(claiming or legal)
        if turn.move in texts:
            found.play(texts[turn.move])
            assert facts(found) == facts(draft.begin(turn.after))


def facts(found: Draft) -> tuple[object, ...]:
    return found.own, found.other, found.occupied, found.idle, found.mover, found.pools, found.wants, found.is_over


def test_the_card_wanted_most_comes_first_and_is_claimed_in_playouts() -> None:
    found = draft.begin(dealt())
    turns = found.turns()
    wanted = [found.wants[0][turn[2]] for turn in turns if turn]
    assert wanted == sorted(wanted, reverse=True)
    chosen = found.wanted_turn()
    assert chosen
    assert found.wants[0][chosen[2]] == wanted[0]


# -- choosing ------------------------------------------------------------------------------------


def test_who_cannot_move_passes_without_thinking() -> None:
    everywhere = (1 << len(BOARD.names)) - 1
    pawns = sum(1 << pawn for pawn in (*dealt().field.own, *dealt().field.other))
    position = with_stones(everywhere ^ pawns, 0, dealt())
    thought = think(position, 5)
    assert (thought.move, thought.playouts) == ("pass", 0)
    found = draft.begin(position)
    found.play(found.wanted_turn())
    assert (found.mover, found.idle) == (1, 1)


def test_an_end_that_can_be_solved_is_played_right() -> None:
    """Of eight turns four win two hands in two of three pairings, the others in one."""
    position = GAME.setup(2, {}, Chance(bytes([6]) * 32))
    for _ in range(36):
        seat = GAME.to_move(position)[0]
        position = GAME.apply(position, seat, GAME.suggest(position, seat)[0], Chance(SEED))
    begun = draft.begin(position)
    values = {draft.turn_text(turn): solved(after(begun, turn)) for turn in begun.turns()}
    assert len(set(values.values())) == 2
    thought = think(position, 400)
    assert values[thought.move] == max(values.values())


def solved(found: Draft) -> float:
    """Return what a draft is worth to seat 1 if both seats play the best turns."""
    if found.is_over:
        return tree.worth(found)
    return (min if found.mover else max)(solved(after(found, turn)) for turn in found.turns())


def after(found: Draft, turn: draft.Turn) -> Draft:
    copied = found.copy()
    copied.play(turn)
    return copied


def think(position: Position, playouts: int) -> robots.Thought:
    robot = robots.find(GAME.key)
    assert robot
    return robot.think(GAME.view(position, GAME.to_move(position)[0]), playouts, SEED)


def test_turns_tried_most_are_named_first() -> None:
    times = [tried.times for tried in think(dealt(), 60).tried]
    assert times == sorted(times, reverse=True)
    assert sum(times) == 60


def test_more_cards_are_worth_more() -> None:
    assert tree.worth(draft.begin(with_stones((1 << 12) - 1, 0, dealt()))) > 0.5


def test_only_a_seat_chooses() -> None:
    robot = robots.find(GAME.key)
    assert robot
    with pytest.raises(TypeError):
        robot.think(GAME.view(dealt(), Eye.PUBLIC), 1, SEED)
