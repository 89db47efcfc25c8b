"""What is suggested in Amazonian Buffet, and any text whatever."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.games.amazonian_buffet import advice, layouts
from pbem.games.amazonian_buffet.turns import BOARD
from pbem.games.errors import IllegalMove, InvalidMove
from pbem.games.game import Move, Outcome
from pbem.games.poker import level
from tests.support.examples import examples
from tests.support.games.buffet_cases import (
    CHANCE,
    FEW,
    GAME,
    ONE,
    OTHER,
    OWN,
    TWO,
    WORKED_EXAMPLE,
    dealt,
    of_example,
    played,
    sealed,
)

# -- suggestions -----------------------------------------------------------------------------------


def test_suggested_turns_claim_what_goes_with_the_pool() -> None:
    position = played(*WORKED_EXAMPLE)
    suggested = GAME.suggest(position, ONE)
    assert len(suggested) == 3
    assert all(GAME.allows(position, ONE, move) and not move.endswith("none") for move in suggested)
    assert len({move.rpartition(" ")[2] for move in suggested}) == 3
    useful = [advice.usefulness(position.deal.grid[BOARD.numbers[move[-2:]]], position.pool(ONE)) for move in suggested]
    assert useful == sorted(useful, reverse=True)


def test_suggested_layouts_are_legal_and_begin_with_the_strongest_hand() -> None:
    for position, seat in product((of_example(0, 35), of_example(2, 61), FEW), (ONE, TWO)):
        suggested = GAME.suggest(position, seat)
        assert 1 <= len(set(suggested)) == len(suggested) <= 3
        assert all(GAME.allows(position, seat, move) for move in suggested)
        levels = [[level(hand) for hand in layouts.split_hands(move)] for move in suggested]
        assert levels[0] == sorted(levels[0], reverse=True)
        assert min(levels[0]) <= max(min(found) for found in levels)


def test_suggested_adjustments_win_more_than_keeping_or_keep() -> None:
    shown = sealed(sealed(FEW, ONE, OWN), TWO, OTHER)
    better, keep = GAME.suggest(shown, ONE)
    assert keep == "keep"
    assert GAME.outcome(sealed(sealed(shown, ONE, better), TWO, "keep")) == Outcome((2, 1), (ONE,))
    assert GAME.suggest(shown, TWO)[0] == "keep"


# -- anything typed --------------------------------------------------------------------------------


WORDS = st.sampled_from(
    ["a1", "c3", "f3", "KD", "9S", "2S", "10", "h", "|", "-", "/", "hands", "keep", "pass", "x", "claim", "none", "\n"]
)


@settings(max_examples=examples(300), deadline=None)
@given(text=st.one_of(st.text(), st.lists(WORDS).map(" ".join), st.lists(WORDS).map("".join)))
def test_any_text_is_a_legal_move_or_refused_with_a_reason(text: str) -> None:
    for position in (dealt(), FEW, sealed(sealed(FEW, ONE, OWN), TWO, OTHER)):
        try:
            move = GAME.read(position, ONE, text)
        except (IllegalMove, InvalidMove) as error:
            reason = str(error)
            assert reason.endswith(".")
        else:
            assert GAME.allows(position, ONE, move)
            assert GAME.read(position, ONE, move) == move
        if not GAME.allows(position, ONE, Move(text)):
            with pytest.raises(IllegalMove):
                GAME.apply(position, ONE, Move(text), CHANCE)
