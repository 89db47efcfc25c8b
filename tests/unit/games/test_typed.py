"""Typed text: what keyboards, phones and mailers do to a move is undone for every game alike."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.games import IllegalMove, InvalidMove, Move
from pbem.games.typed_text import fold, parse_line


def number(line: str) -> Move:
    if not line.isascii() or not line.isdigit():
        raise InvalidMove("Write a number.")
    if line == "13":
        raise IllegalMove("Not that number.")
    return Move(line)


@pytest.mark.parametrize(
    ("typed", "plain"),
    [
        ("  a1 \t c3\r\n", "a1 c3"), ("a1\xa0c3", "a1 c3"), ("take 7.", "take 7"), ("take 7 !", "take 7"),
        ("a1\N{EN DASH}c3", "a1-c3"), ("a1\N{MINUS SIGN}c3", "a1-c3"), ("a1\N{NON-BREAKING HYPHEN}c3", "a1-c3"),
        ("a1→c3", "a1-c3"), ("a1 -> c3", "a1 - c3"), ("a1=>c3", "a1-c3"), ("a1 👉 c3", "a1 - c3"), ("a1<->c3", "a1-c3"),
        ("10♥\ufe0f", "10H"), ("♠ ♤ ♥ ♡ ♦ ♢ ♣ ♧", "S S H H D D C C"), ("\N{FULLWIDTH LATIN CAPITAL LETTER R}3", "R3"),
        ("r\u200b3", "r3"), ("\u200er3\u200f", "r3"), ("r3\x00", "r3"), ("klein grün", "klein grün"), ("...", ""),
        ("TR\u0130CK tr\u0131ck", "TRiCK trick"), ("AS KS\n9D 9C\r\n7S", "AS KS 9D 9C 7S"),
    ],
)  # fmt: skip
def test_folding(typed: str, plain: str) -> None:
    assert fold(typed) == plain


@pytest.mark.parametrize("arrow", "→⟶⤳⬅⬰⭢⮕⮸⯬➜\U0001f800\U0001f87a\U0001f8b1")
def test_every_arrow_is_one(arrow: str) -> None:
    assert fold(f"a1 {arrow} c3", ">") == "a1 > c3"


@pytest.mark.parametrize(
    "dash", "\u002d\u2010\u2011\u2012\u2013\u2014\u2015\u2053\u2212\u02d7\u207b\ufe63\uff0d\u301c\u2e3a"
)
def test_every_dash_is_one(dash: str) -> None:
    assert fold(f"a1{dash}c3") == "a1-c3"


def test_an_arrow_is_what_the_game_takes_it_for() -> None:
    assert fold("r1 → b2", ">") == "r1 > b2"
    assert fold("r1 -> b2 - x", ">") == "r1 > b2 - x"


@given(st.text())
def test_folding_leaves_nothing_to_strip(text: str) -> None:
    line = fold(text)
    assert line == line.strip()
    assert "  " not in line
    assert "\n" not in line


@pytest.mark.parametrize("typed", ["7", "7.", " 7 ", "1. 7", "(2) 7", "2) 7", "- 7", "• 7", "* 7", "12. 7."])
def test_a_bullet_or_list_number_in_front_is_not_the_move(typed: str) -> None:
    assert parse_line(typed, "-", number) == "7"


def test_the_line_as_it_stands_goes_first() -> None:
    assert parse_line("1. 7", "-", Move) == "1. 7"


def test_the_refusal_speaks_of_the_line_as_it_stands() -> None:
    lines: list[str] = []

    def read(line: str) -> Move:
        lines.append(line)
        raise InvalidMove("No move: {line}", line=line)

    with pytest.raises(InvalidMove, match=r"No move: 1\. x"):
        parse_line("1. x", "-", read)
    assert lines == ["1. x", "x"]


def test_a_move_that_may_not_be_played_is_told_so() -> None:
    for typed in ("13", "1. 13"):
        with pytest.raises(IllegalMove, match="Not that number"):
            parse_line(typed, "-", number)


@pytest.mark.parametrize("typed", ["", "   ", "...", "\u200b", "seven", "- - 7"])
def test_what_is_no_move_is_invalid(typed: str) -> None:
    with pytest.raises(InvalidMove):
        parse_line(typed, "-", number)


def test_a_text_longer_than_any_move_is_not_looked_at() -> None:
    assert parse_line("7" * 1000, "-", number) == "7" * 1000
    with pytest.raises(InvalidMove, match="too long"):
        parse_line("7" * 1001, "-", number)
