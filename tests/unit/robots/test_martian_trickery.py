"""Moves that the robot of Martian Trickery chooses, and what the end of a hand is worth to it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pbem.games.chance import Chance, Stream
from pbem.games.martian_trickery.position import TRICKS
from pbem.robots.martian_trickery import TrickeryRobot, deals
from pbem.robots.martian_trickery.prizes import place
from tests.support.games.trickery_play import FIVE_TRICKS, GAME, play, table

if TYPE_CHECKING:
    from pbem.games.martian_trickery.position import Position
    from pbem.robots.martian_trickery.hand import Hand

ROBOT = TrickeryRobot(GAME)
SEED = bytes(32)
CLOSE = 0.02
"""Moves whose worth differs by less than this are as good as one another."""


def ended(*hauls: str, hands_left: int = 0, totals: tuple[int, ...] = (0, 0, 0)) -> tuple[float, ...]:
    """Return what the end of a hand is worth to the seats, each with its haul."""
    hand = ROBOT.know(GAME.view(table(hands=1), GAME.to_move(table())[0])).hand
    won = tuple(place(haul.split(), hand.terms) for haul in hauls)
    hand = hand._replace(won=won, middle=0, hands_left=hands_left, totals=totals)
    return ROBOT.worth(hand, hand)


# -- what the end of a hand is worth ---------------------------------------------------------------


def test_after_the_last_hand_it_counts_most_who_leads_alone() -> None:
    first, second, third = ended("R1 R2 R3", "Y1 Y2 G3", "K1 K2 G1")
    assert first > 0.8
    assert second > third, "and a little by how much"
    assert second < 0.2


def test_where_several_lead_another_hand_follows() -> None:
    first, second, third = ended("R1 R2 R3", "Y1 Y2 Y3", "G1 G2 G3", totals=(0, 0, -20))
    assert first == second > 0.4
    assert third < first


def test_before_the_last_hand_a_lead_counts_the_less_the_more_hands_follow() -> None:
    hauls = ("R1 R2 R3", "Y1 Y2 G3", "K1 K2 G1")
    leads = [ended(*hauls, hands_left=left)[0] for left in range(4)]
    assert leads == sorted(leads, reverse=True)
    assert 1 / 3 < leads[3] < leads[1] < 0.8


def test_totals_of_the_hands_before_count() -> None:
    assert ended("R1", "Y1", "G1", totals=(0, 9, 0))[1] > 0.8


@pytest.mark.parametrize("hands_left", [0, 1])
def test_all_seats_share_one_match(hands_left: int) -> None:
    assert sum(ended("R1 R2 R3", "K1 K2 K3", "Y1 Y2", hands_left=hands_left)) == pytest.approx(1)


def test_a_match_that_has_gone_on_for_a_tie_is_in_its_last_hand() -> None:
    position = table(hands=2)
    for scores, left in (((), 1), (((1, 1, 1),), 0), (((1, 1, 1), (2, 2, 2)), 0)):
        later = replace(position, scores=scores)
        assert ROBOT.know(GAME.view(later, GAME.to_move(later)[0])).hand.hands_left == left


# -- choosing --------------------------------------------------------------------------------------


def best_worth(hand: Hand) -> tuple[float, ...]:
    """Return what a hand of which all cards are known is worth, if every seat plays best for itself."""
    if ROBOT.is_settled(hand, hand):
        return ROBOT.worth(hand, hand)
    return max(worths(hand).values(), key=lambda worth: worth[hand.turn])


def worths(hand: Hand) -> dict[str, tuple[float, ...]]:
    """Return what each move is worth that is tried."""
    seat = ROBOT.mover(hand)
    first = [(piece,) for piece in ROBOT.options(hand, seat, ())]
    chosen = first if hand.lying else [(*one, card) for one in first for card in ROBOT.options(hand, seat, one)]
    moves = [ROBOT.complete(hand, seat, pieces) for pieces in chosen]
    return {move: best_worth(ROBOT.apply(hand, seat, move, Chance(SEED))) for move in moves}


def ending(seats: int, seed: int, tricks: int) -> Position:
    """Return the position before the last tricks of a hand that all play as the game suggests."""
    chance = Chance(bytes([seed] * 32))
    position = GAME.setup(seats, {"hands": 1}, chance)
    while len(position.tricks) < TRICKS - tricks:
        (seat,) = GAME.to_move(position)
        position = GAME.apply(position, seat, GAME.suggest(position, seat)[0], chance)
    return position


@pytest.mark.parametrize(("seed", "tricks"), [(103, 2), (85, 3)])
def test_an_end_of_which_all_cards_are_known_is_played_right(seed: int, tricks: int) -> None:
    position = ending(3, seed, tricks)
    (seat,) = GAME.to_move(position)
    view = GAME.view(position, seat)
    known = ROBOT.know(view)
    assert deals.count(known.unseen.sizes, known.unseen.room) == 1, "the log tells where each card is"
    hand = ROBOT.imagine(known, Stream(SEED, "only deal"))
    by_move = {move: worth[hand.turn] for move, worth in worths(hand).items()}
    assert by_move[ROBOT.think(view, 300, SEED).move] > max(by_move.values()) - CLOSE


def test_a_robot_sees_further_than_what_the_game_suggests() -> None:
    position = ending(3, 103, 2)
    (seat,) = GAME.to_move(position)
    assert GAME.suggest(position, seat)[0] == "G2 9S"
    thought = ROBOT.think(GAME.view(position, seat), 300, SEED)
    assert thought.move == "K3 TC"
    assert {tried.move: tried.worth > 0.5 for tried in thought.tried} == {
        "K3 TC": True,
        "K3 9S": False,
        "G2 TC": False,
        "G2 9S": False,
    }


def test_where_all_moves_are_worth_the_same_a_robot_need_not_think() -> None:
    position = ending(4, 1, 1)
    (seat,) = GAME.to_move(position)
    thought = ROBOT.think(GAME.view(position, seat), 300, SEED)
    assert (thought.move, thought.playouts) == (next(iter(GAME.moves(position, seat))), 0)


def test_a_leader_tries_one_move_of_each_kind() -> None:
    position = play(table(), FIVE_TRICKS)
    (seat,) = GAME.to_move(position)
    tried = {one.move for one in ROBOT.think(GAME.view(position, seat), 500, SEED).tried}
    assert {move[:2] for move in tried} == {"R2", "Y1", "Y2", "G2", "G3", "K1", "K3"}
    assert {move[3:] for move in tried} == {"7S", "7D", "KD", "QH"}, "nobody holds the nine of spades"
