"""What somebody may have meant by a text that was refused."""

from __future__ import annotations

import pytest

from pbem.games import GAMES, Chance, Move, Seat
from pbem.games.martian_whist import MartianWhist
from pbem.games.minimax import Minimax
from pbem.games.nearness import MAX_NEAREST, closest, likeness

ONE = Seat(1)
DEAL = Chance(bytes(range(32)))


def near(key: str, text: str, *moves: str) -> list[str]:
    """Name what is near a text in a match that began with some moves."""
    game = GAMES[key]
    position = game.setup(game.seats[0], {}, DEAL)
    for move in moves:
        position = game.apply(position, game.to_move(position)[0], Move(move), DEAL)
    return [*game.nearest(position, game.to_move(position)[0], text)]


def test_likeness_is_between_nothing_and_the_same() -> None:
    assert likeness("take 7", "TAKE 7") == 1
    assert likeness("abc", "xyz") == 0
    assert 0 < likeness("take 7", "take 8") < 1


def test_what_a_text_is_the_beginning_of_comes_before_what_is_only_like_it() -> None:
    moves = [Move("b4 a1"), Move("a4 b1"), Move("a4 b2"), Move("c3 a4")]
    assert closest("a4", moves)[:2] == ("a4 b1", "a4 b2")


def test_nothing_is_near_what_is_like_no_move() -> None:
    assert closest("", [Move("pass")]) == ()
    assert closest("hello", [Move("take 1"), Move("swap")]) == ()


def test_at_most_three_are_named_in_the_order_of_the_moves_where_they_are_alike() -> None:
    moves = [Move(f"take {number}") for number in range(1, 9)]
    assert closest("take 9", moves) == ("take 1", "take 2", "take 3")
    assert len(closest("take", moves)) == MAX_NEAREST


@pytest.mark.parametrize(
    ("key", "text", "expected"),
    [
        ("martian-whist", "take 23", ["take 20", "take 19", "take 18"]),
        ("martian-whist", "tak 7", ["take 7", "take 17", "take 1"]),
        ("martian-whist", "what now?", []),
        ("martian-trickery", "queen of clubs", ["R1 QC", "R2 QC", "R3 QC"]),
        ("martian-trickery", "R2", ["R2 8H", "R2 7H", "R2 6H"]),
        ("amazonian-buffet", "a1-c3", ["a1-c3 c1", "a1-c3 f3", "a1-c3 none"]),
        ("amazonian-buffet", "a1-c3 QQ", ["a1-c3 c1", "a1-c3 f3", "a1-c3 none"]),
        ("montauk", "2H", ["9H"]),
        ("montauk", "hello", []),
    ],
)
def test_near_moves_of_a_match_that_has_just_begun(key: str, text: str, expected: list[str]) -> None:
    assert near(key, text) == expected


def test_a_take_that_nobody_may_make_any_more_is_near_its_neighbours() -> None:
    gone = ("take 7",) * 3
    assert near("martian-whist", "take 7", *gone) == ["take 6", "take 8", "take 5"]


def test_spendings_share_steps_with_what_was_typed() -> None:
    key, moves = "montauk", ("9H", "2C")
    game = GAMES[key]
    position = game.setup(2, {}, DEAL)
    for _ in moves:
        seat = game.to_move(position)[0]
        position = game.apply(position, seat, next(game.moves(position, seat)), DEAL)
    seat = game.to_move(position)[0]
    assert game.board(position, seat)["to_use"]
    step = next(game.moves(position, seat)).split()[0]
    assert all(step in move.split() for move in game.nearest(position, seat, step))
    assert game.nearest(position, seat, f"{step} {step} {step} 1-off")[0]
    assert game.nearest(position, seat, "nonsense") == ()


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        ("sow c", "sow c "),
        ("sow a R9", "sow a "),
        ("sow a Y9 R3", "sow a R3"),
        ("sow c R2 on Z3, B3", "sow c R2, B3"),
        ("sow c G2 on B1, B3, R2", "sow c G2"),
        ("sow c G2, B3, R2, Y1, Y1", "sow c G2, B3, R2"),
    ],
)
def test_a_sowing_keeps_what_is_good_of_it(text: str, begins: str) -> None:
    found = near("minimax", text)
    assert found
    assert found[0].startswith(begins)


def test_a_sowing_of_no_card_begins_with_any_that_may_be_sown() -> None:
    assert all(move.startswith("sow d Y1") for move in near("minimax", "sow x Y1"))
    assert near("minimax", "hello") == []
    assert near("minimax", "sow vault Y1")[0].startswith("sow ")


def test_nothing_is_near_when_the_match_is_over() -> None:
    game = Minimax()
    position = game.setup(1, {}, DEAL)
    while to_move := game.to_move(position):
        position = game.apply(position, to_move[0], next(game.moves(position, ONE)), DEAL)
    assert game.nearest(position, ONE, "sow a") == ()
    whist = MartianWhist()
    assert whist.nearest(whist.setup(2, {}, DEAL), Seat(2), "take 1") == ()
