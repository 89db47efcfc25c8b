"""Texts of all kinds, read in positions that random play reaches: a legal move, or one of the two refusals."""

from __future__ import annotations

from random import Random

import pytest

from pbem.games import GAMES, Chance, Move, Seat
from tests.support.games.fuzz import read, read_many, text

TEXTS = 300


@pytest.mark.parametrize("key", GAMES)
def test_any_text_is_a_move_or_refused(key: str) -> None:
    moves, _, _ = read_many(key, TEXTS)
    assert 0 < moves < TEXTS


def test_the_texts_are_of_many_kinds() -> None:
    chosen, played = Random(1), [Move("take 7"), Move("swap")]
    written = {text(chosen, played) for _ in range(2000)}
    assert len(written) > 1000
    assert {"take 7", "swap"} <= written
    assert any("\n" in line for line in written)
    position = GAMES["martian-whist"].setup(2, {}, Chance(bytes(32)))
    assert read(GAMES["martian-whist"], position, Seat(1), "take 7")
