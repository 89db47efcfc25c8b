"""Finding moves among typed lines (the engine contract: lines)."""

from __future__ import annotations

import pytest

from pbem.games import IllegalMove, InvalidMove, Move
from pbem.play.submissions.move_finder import Found, NotFound, find


def read(text: str) -> Move:
    """A game whose moves are `go`, `go on`, and three words in as many lines; `stop` may not be played."""
    line = " ".join(text.split())
    if line in {"go", "go on", "one two three", "1 2 3 4 5 6 7 8 9"}:
        return Move(line)
    if line.startswith("stop"):
        raise IllegalMove("You may not stop.")
    raise InvalidMove("That is not a move.")


@pytest.mark.parametrize(
    ("lines", "move", "rest"),
    [
        (["go"], "go", ()),
        (["", "  go  ", "", "Best, Ann"], "go", ("", "Best, Ann")),
        (["go", "on"], "go on", ()),
        (["go", "", "on"], "go", ("", "on")),
        (["Hello Bob,", "go"], "go", ()),
        (["one", "two", "three", "more"], "one two three", ("more",)),
        ([*"123456789"], "1 2 3 4 5 6 7 8 9", ()),
    ],
)
def test_the_longest_joining_that_is_a_move_counts(lines: list[str], move: str, rest: tuple[str, ...]) -> None:
    assert find(lines, read) == Found(Move(move), rest)


def test_a_line_is_joined_with_eight_below_it_at_most() -> None:
    def nine_or_ten(text: str) -> Move:
        if len(text.split()) in {9, 10}:
            return Move(str(len(text.split())))
        raise InvalidMove("That is not a move.")

    assert find([*"0123456789"], nine_or_ten) == Found(Move("9"), ("9",))


def test_a_blank_line_ends_the_joining() -> None:
    assert isinstance(find(["one", "", "two", "three"], read), NotFound)


def test_a_joining_that_may_not_be_played_is_named_whole() -> None:
    found = find(["stop", "at once"], read)
    assert isinstance(found, NotFound)
    assert found.line == "stop at once"


def test_what_may_not_be_played_ends_the_search() -> None:
    found = find(["stop", "", "go"], read)
    assert isinstance(found, NotFound)
    assert (found.line, str(found.reason)) == ("stop", "You may not stop.")


def test_where_nothing_is_a_move_the_first_line_is_named() -> None:
    found = find(["Hello", "", "Bob"], read)
    assert isinstance(found, NotFound)
    assert found.line == "Hello"
    assert isinstance(found.reason, InvalidMove)


@pytest.mark.parametrize("lines", [[], ["", "  "]])
def test_where_nothing_was_typed_it_is_said(lines: list[str]) -> None:
    found = find(lines, read)
    assert isinstance(found, NotFound)
    assert (found.line, str(found.reason)) == ("", "No move found.")
