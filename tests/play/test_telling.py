"""Sentences about any match."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.play import telling


@pytest.mark.parametrize(
    ("scores", "winners", "names", "sentence"),
    [
        ({"1": 5}, [], ("Ann",), "This ends the game with five points, but does not win it."),
        ({"1": 1}, [1], ("Ann",), "This ends the game with one point, and wins it."),
        ({"1": 3, "2": 1}, [1], ("Ann", "Bob"), "This ends the game, and you win. The score: Ann 3, Bob 1."),
        ({"1": 1, "2": 3}, [2], ("Ann", "Bob"), "This ends the game, and Bob wins. The score: Ann 1, Bob 3."),
        (
            {"1": 2, "2": 2},
            [1, 2],
            ("Ann", "Bob"),
            "This ends the game, in a draw between Ann and Bob. The score: Ann 2, Bob 2.",
        ),
    ],
)
def test_what_a_move_would_end_the_game_with(
    scores: dict[str, int], winners: list[int], names: tuple[str, ...], sentence: str
) -> None:
    result: dict[str, Any] = {"scores": scores, "winners": winners, "ending": "finished"}
    assert telling.would_end(result, names, 1) == sentence
