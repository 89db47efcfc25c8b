"""Every game's moves above every ending: none lost, none changed."""

from __future__ import annotations

from itertools import islice

import pytest

from pbem.games import GAMES
from tests.support.emails.parsing.quotes import BLOCKS, INTRODUCTIONS, QUOTED, cut, tails
from tests.support.examples import few
from tests.support.games.random_play import Match as Deal
from tests.support.games.random_play import walk

ENDINGS = [f"{above}\n{below}" for above in INTRODUCTIONS for below in (QUOTED, "\nHello all,")] + BLOCKS + tails()
ENOUGH = 135
MOVES = 60


def moves_of(key: str) -> list[str]:
    """Return some moves of random play, as the log has them, from the beginning, the middle and the end of a match."""
    game = GAMES[key]
    found = [str(turn.move) for turn in islice(walk(Deal(game, game.seats[0], {}, bytes(32))), 200)]
    return list(dict.fromkeys(found[:: max(1, len(found) // MOVES)]))[:MOVES]


def test_there_are_enough_endings() -> None:
    assert len(set(ENDINGS)) >= ENOUGH


@pytest.mark.parametrize("between", ["\n", "\n\n"], ids=["no blank line", "blank line"])
@pytest.mark.parametrize("key", GAMES)
def test_a_move_stays_what_was_typed(key: str, between: str) -> None:
    lost = []
    for move in few(moves_of(key)):
        lines = tuple(move.split("\n"))
        lost += [(move, ending) for ending in ENDINGS if cut(move + between + ending)[: len(lines)] != lines]
    assert lost == []
