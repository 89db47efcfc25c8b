"""A mail's text part: moves that may have been meant, and moves that have names."""

from __future__ import annotations

import pytest

from emails.parts import Choice, Choices, Meant
from emails.text import as_text
from pbem.games import GAMES, Chance, GameError, Seat

LONG = ("hands KH KD QH QC JH | JD 9S 8S 8C 7H | 7C 6C 5S 5H 5D", "keep")


def lines_of(part: Meant | Choices) -> list[str]:
    return as_text([part]).splitlines()[2:]


def choices(*moves: str, name: str = "", hint: str = "") -> tuple[Choice, ...]:
    return tuple(Choice(move, "a page", "a mail", name, hint) for move in moves)


def test_short_moves_are_asked_for_in_one_line() -> None:
    assert lines_of(Meant(choices("take 7", "take 9"))) == ["Did you mean “take 7” or “take 9”?"]


def test_long_moves_stand_unbroken_each_in_a_line_with_words() -> None:
    assert lines_of(Meant(choices(*LONG))) == [f"Did you mean “{LONG[0]}”?", "or “keep”?"]


def test_named_moves_stand_behind_their_names_with_what_there_is_to_say() -> None:
    named = choices(LONG[0], name="Balanced", hint="Two pair, a pair and a pair")
    assert lines_of(Choices("You may play", named, ())) == [f"Balanced: {LONG[0]}", "  (Two pair, a pair and a pair)"]


@pytest.mark.parametrize("count", [1, 2, 3])
def test_no_line_of_what_may_have_been_meant_is_a_sowing(count: int) -> None:
    game = GAMES["minimax"]
    position = game.setup(1, {"size": "long"}, Chance(bytes(32)))
    near = game.nearest(position, Seat(1), "sow a")[:count]
    lines = lines_of(Meant(choices(*near)))
    assert near[0] in lines[0]
    for at in range(len(lines)):
        for end in range(at + 1, len(lines) + 1):
            with pytest.raises(GameError):
                game.read(position, Seat(1), " ".join(lines[at:end]))
