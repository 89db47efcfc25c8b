"""A mail's text part: moves that may have been meant, and moves that have names."""

from __future__ import annotations

from dataclasses import replace

import pytest

from emails.content.blocks import Choice, Choices, Suggestions
from emails.content.plain_text import render_text
from pbem.games import GAMES, Chance, GameError, Seat
from pbem.i18n import use_locale

LONG = ("hands KH KD QH QC JH | JD 9S 8S 8C 7H | 7C 6C 5S 5H 5D", "keep")


def lines_of(part: Suggestions | Choices) -> list[str]:
    return render_text([part]).splitlines()[2:]


def choices(*moves: str, name: str = "", hint: str = "") -> tuple[Choice, ...]:
    return tuple(Choice(move, "a page", "a mail", name, hint) for move in moves)


def test_short_moves_are_asked_for_in_one_line() -> None:
    assert lines_of(Suggestions(choices("take 7", "take 9"))) == ["Did you mean “take 7” or “take 9”?"]
    with use_locale("de"):
        assert lines_of(Suggestions(choices("take 7", "take 9"))) == ["Meintest du „take 7“ oder „take 9“?"]


def test_long_moves_stand_unbroken_each_in_a_line_with_words() -> None:
    assert lines_of(Suggestions(choices(*LONG))) == [f"Did you mean “{LONG[0]}”?", "Or did you mean “keep”?"]


def test_likely_moves_stand_behind_the_numbers_that_play_them() -> None:
    one, two = choices("take 7", "take 9")
    likely = replace(one, number=1), replace(two, number=2)
    assert lines_of(Choices("Suggested moves", likely, ())) == [
        "Suggested moves:", "  reply #1 for take 7", "  reply #2 for take 9",
    ]  # fmt: skip


def test_what_there_is_to_say_of_a_likely_move_stands_below_it() -> None:
    (named,) = choices(LONG[0], name="Balanced", hint="Two pair, a pair and a pair")
    (bare,) = choices("keep", name="As they are")
    likely = replace(named, number=1), replace(bare, number=2)
    assert lines_of(Choices("Suggested moves", likely, ())) == [
        "Suggested moves:",
        f"  reply #1 for {LONG[0]}",
        "    Balanced: Two pair, a pair and a pair",
        "  reply #2 for keep",
        "    As they are",
    ]


def test_moves_without_numbers_are_listed_after_their_heading() -> None:
    assert lines_of(Choices("To play it now", choices("take 7"), ())) == ["To play it now: take 7"]
    listed = tuple(f"take {number}" for number in range(1, 12))
    assert lines_of(Choices("You may play", choices("take 7"), listed)) == [
        "You may play: take 1 | take 2 | take 3 | take 4 | take 5 | take 6 |",
        "also: take 7 | take 8 | take 9 | take 10 | take 11",
    ]


@pytest.mark.parametrize("count", [1, 2, 3])
def test_no_line_of_what_may_have_been_meant_is_a_sowing(count: int) -> None:
    game = GAMES["minimax"]
    position = game.setup(1, {"size": "long"}, Chance(bytes(32)))
    near = game.nearest(position, Seat(1), "sow a")[:count]
    lines = lines_of(Suggestions(choices(*near)))
    assert near[0] in lines[0]
    for at in range(len(lines)):
        for end in range(at + 1, len(lines) + 1):
            with pytest.raises(GameError):
                game.read(position, Seat(1), " ".join(lines[at:end]))
