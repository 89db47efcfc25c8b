"""What tests of laws share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import strategies as st

from tests.support.games.random_play import Match, Turn, matches, walk

if TYPE_CHECKING:
    from pbem.games import Move

SAMPLES = 6
"""How many points of a match are looked at where looking takes long."""


def turns_of(data: st.DataObject, key: str) -> tuple[Match, list[Turn]]:
    match = data.draw(matches(key), label="match")
    return match, list(walk(match))


def sampled(data: st.DataObject, turns: list[Turn], most: int = SAMPLES) -> list[Turn]:
    return data.draw(st.lists(st.sampled_from(turns), min_size=1, max_size=most), label="turns")


@st.composite
def texts(draw: st.DrawFn, moves: list[Move]) -> str:
    """Write anything, or a move of the match with something in it changed."""
    move = draw(st.sampled_from(moves))
    at, to = (draw(st.integers(0, len(move))) for _ in range(2))
    piece = draw(st.one_of(st.text(max_size=4), st.sampled_from([*" -/,.0123ABrs♠→K", "10", "1. ", "of"])))
    changed = [move[:at] + piece + move[at:], move[:at] + piece + move[at + 1 :], move[:at] + move[to:], move.upper()]
    return draw(st.one_of(st.text(), st.sampled_from(changed)))
