"""Texts of all kinds, read in positions that random play reaches: a legal move, or one of the two refusals."""

from __future__ import annotations

import os
import sys
import time

import pytest

from pbem.games import GAMES
from tests.support.games.fuzz import read_many

MANY_TEXTS = int(os.environ.get("TEST_TEXTS", "100000"))
"""How many texts of each game the long run reads."""


@pytest.mark.parametrize("key", GAMES)
def test_any_of_many_texts_is_a_move_or_refused(key: str, capsys: pytest.CaptureFixture[str]) -> None:
    begun = time.perf_counter()
    moves, longest, line = read_many(key, MANY_TEXTS)
    took = time.perf_counter() - begun
    with capsys.disabled():
        figure = f"{key}: {MANY_TEXTS} texts, {moves} moves, {took:.0f} s; the longest took {longest * 1000:.1f} ms"
        sys.stdout.write(f"\n{figure}: {line[:80]!a}\n")
    assert 0 < moves < MANY_TEXTS
