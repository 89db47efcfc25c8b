"""The form in which the robot of Martian Trickery plays hands on, which follows the rules of the game."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.games.cards import DECK
from pbem.games.martian_trickery.advice import card_cost
from pbem.games.martian_trickery.position import Terms
from pbem.games.martian_trickery.position import playable as playable_cards
from pbem.robots.martian_trickery import TrickeryRobot, card_bits
from pbem.robots.martian_trickery.hand import is_over, playable
from pbem.robots.martian_trickery.playing import play_on
from pbem.robots.martian_trickery.prizes import ALL_PRIZES, place, score_table, unlike
from pbem.robots.martian_trickery.reading import hand_of, read
from tests.support.examples import examples
from tests.support.games.laws import turns_of
from tests.support.games.trickery_play import CHANCE, GAME

if TYPE_CHECKING:
    from pbem.games.martian_trickery.position import Position
    from pbem.robots.martian_trickery.hand import Hand

ROBOT = TrickeryRobot(GAME)
TREEHOUSE, TWO_STASH = Terms(3, "treehouse", "B", 1), Terms(3, "two-stash", None, 1)
some_matches = settings(max_examples=examples(20), deadline=None, suppress_health_check=list(HealthCheck))


def imagined(position: Position) -> Hand:
    """Return a position in the robot's form, with the cards that all seats do hold."""
    (mover,) = GAME.to_move(position)
    hand = read(GAME.view(position, mover)).hand
    return hand._replace(held=tuple(card_bits.join(held.value) for held in position.hands))


def named(hand: Hand) -> object:
    """Return a hand with the names of its prizes: where several have one name, it does not matter which was won."""
    prize, middle, *won = (prize_names(bits, hand.terms) for bits in (hand.prize, hand.middle, *hand.won))
    return hand._replace(prize=0, middle=0, won=()), prize, middle, won


def prize_names(bits: int, terms: Terms) -> list[str]:
    return [name for at, name in enumerate(terms.middle) if bits >> at & 1]


def card_names(bits: int) -> str:
    return " ".join(card_bits.CARD_OF_BIT[card] for card in card_bits.split(bits))


# -- rules -----------------------------------------------------------------------------------------


@some_matches
@given(data=st.data())
def test_a_hand_is_played_as_the_game_plays_it(data: st.DataObject) -> None:
    _, turns = turns_of(data, GAME.key)
    for turn in turns:
        before = imagined(turn.before)
        assert set(card_names(playable(before)).split()) == set(playable_cards(turn.before, turn.seat))
        after = ROBOT.apply(before, turn.seat, turn.move, CHANCE)
        assert is_over(after) == (len(turn.after.scores) > len(turn.before.scores))
        if is_over(after):
            scores = score_table(after.terms.prizes)
            assert tuple(scores[haul] for haul in after.won) == turn.after.scores[-1]
        else:
            assert named(after) == named(imagined(turn.after))


@some_matches
@given(data=st.data())
def test_a_hand_of_which_all_is_seen_has_what_its_seats_see(data: st.DataObject) -> None:
    _, turns = turns_of(data, GAME.key)
    for turn in turns:
        assert hand_of(turn.before) == imagined(turn.before)


# -- playing on ------------------------------------------------------------------------------------


@some_matches
@given(data=st.data())
def test_seats_play_on_by_what_the_game_suggests(data: st.DataObject) -> None:
    """Of cards that cost the same any may be played, so that only turns without such cards are looked at."""
    _, turns = turns_of(data, GAME.key)
    for turn in turns:
        costs = [card_cost(card) for card in playable_cards(turn.before, turn.seat)]
        suggested = GAME.suggest(turn.before, turn.seat)[0]
        if costs.count(card_cost(suggested[-2:])) == 1:
            before = imagined(turn.before)
            assert play_on(before) == play_on(ROBOT.apply(before, turn.seat, suggested, CHANCE))


@some_matches
@given(data=st.data())
def test_slips_are_played_whenever_they_may_be(data: st.DataObject) -> None:
    _, turns = turns_of(data, GAME.key)
    for turn in turns:
        before = hand_of(turn.before)
        slips = card_bits.CARD_BIT[turn.move[-2:]]
        if not before.lying:
            slips |= place((turn.move[:2],), before.terms, before.middle) << len(DECK)
        assert play_on(before, slips) == play_on(ROBOT.apply(before, turn.seat, turn.move, CHANCE))


# -- what is tried ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("held", "between", "tried"),
    [
        ("7H 8H TH", "9H", "7H TH"),
        ("7H 8H TH", "", "7H"),
        ("7H 8H TH", "JH 6H 9D", "7H"),
        ("AC AD AH 6S AS", "KS", "AC AD AH 6S AS"),
        ("7C 9C 6D 7D", "8C", "6D 7C 9C"),
        ("", "AS", ""),
    ],
)
def test_of_cards_that_none_parts_one_is_tried(held: str, between: str, tried: str) -> None:
    unlike = card_bits.unlike(card_bits.join(held.split()), card_bits.join(between.split()))
    assert card_names(sum(unlike)) == tried


@pytest.mark.parametrize(
    ("won", "terms", "tried"),
    [
        (("", "", ""), TREEHOUSE, "R1 K1"),
        (("R3", "", ""), TREEHOUSE, "R1 Y1 Y3 K1 K3"),
        (("R3", "Y3", ""), TREEHOUSE, "R1 Y1 G1 G3 K1 K3"),
        (("R1 R2 R3", "", ""), TREEHOUSE, "Y1 K1"),
        (("K1", "", ""), TREEHOUSE, "R1 R2 K2"),
        (("", "", ""), TWO_STASH, "R1 K1"),
        (("R1", "", ""), TWO_STASH, "R1 R2 K1 K2"),
    ],
)
def test_of_prizes_that_are_worth_the_same_to_all_one_is_tried(won: tuple[str, ...], terms: Terms, tried: str) -> None:
    hauls = tuple(place(haul.split(), terms) for haul in won)
    assert list(unlike(ALL_PRIZES ^ sum(hauls), hauls, terms)) == tried.split()


@some_matches
@given(data=st.data())
def test_prizes_that_are_not_tried_score_as_one_that_is(data: st.DataObject) -> None:
    """Each seat could get the same scores by the rest of the middle, if it won one or the other."""
    _, turns = turns_of(data, GAME.key)
    for hand in (imagined(turn.before) for turn in turns if turn.before.prize is None):
        tried = unlike(hand.middle, hand.won, hand.terms).values()
        for prize in (1 << at for at in range(12) if hand.middle >> at & 1):
            assert any(futures(hand, prize) == futures(hand, other) for other in tried)


def futures(hand: Hand, prize: int) -> list[list[int]]:
    """Return for each seat all scores with a prize and two more of the middle."""
    scores, rest = score_table(hand.terms.prizes), [1 << at for at in range(12) if (hand.middle ^ prize) >> at & 1]
    return [sorted(scores[haul | prize | one | two] for one in rest for two in rest) for haul in hand.won]
