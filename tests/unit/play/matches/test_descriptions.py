"""Sentences about any match."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.play.matches import descriptions


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
    assert descriptions.ending_by_move(result, names, 1) == sentence


@pytest.mark.parametrize(
    ("near", "reason", "said"),
    [
        ((), "No. Possible: “6-3 4-off”.", "No. Possible: “6-3 4-off”."),
        (("6-3 4-off",), "“3-5” is no step. Possible: “6-3 4-off”, “5-2 1-off”.", "“3-5” is no step."),
        (("7H",), "You do not hold 6H. You may play: 2S 7H QD.", "You do not hold 6H."),
        (("7H",), "You do not hold 6H. You may play: 2S 7HD QD.", "You do not hold 6H. You may play: 2S 7HD QD."),
        (("JC",), "A move is just one card of yours, like “JC”.", "A move is just one card of yours, like “JC”."),
        (("R3/R2",), "That is no tree. Is it R3/R2/Y1?", "That is no tree. Is it R3/R2/Y1?"),
    ],
)  # fmt: skip
def test_what_stands_beside_a_reason_is_not_named_in_it_once_more(
    near: tuple[str, ...], reason: str, said: str
) -> None:
    assert descriptions.shorten_refusal(near, reason) == said
