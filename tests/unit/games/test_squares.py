"""Names of squares and the lines between them."""

from __future__ import annotations

import pytest

from pbem.games.squares import members, queen_stops, rectangular_board, square_set, subsets

BOARD = rectangular_board(6, 8)


def named(*names: str) -> int:
    return square_set(BOARD.numbers[name] for name in names)


def test_squares_are_named_row_by_row_from_the_bottom_left() -> None:
    assert BOARD.names[:7] == ("a1", "b1", "c1", "d1", "e1", "f1", "a2")
    assert BOARD.names[-1] == "f8"
    assert [BOARD.numbers[name] for name in BOARD.names] == list(range(48))


def test_a_set_has_its_members_and_its_subsets() -> None:
    assert members(named("b1", "a1", "f8")) == [0, 1, 47]
    assert sorted(subsets(named("a1", "c1"))) == sorted([0, named("a1"), named("c1"), named("a1", "c1")])
    assert list(subsets(0)) == [0]


@pytest.mark.parametrize(
    ("a", "b", "between"),
    [
        ("a1", "a4", ["a2", "a3"]),
        ("f3", "c3", ["d3", "e3"]),
        ("b2", "e5", ["c3", "d4"]),
        ("f1", "d3", ["e2"]),
        ("c3", "c4", []),
        ("a1", "b3", None),
        ("c3", "c3", None),
    ],
)
def test_between(a: str, b: str, between: list[str] | None) -> None:
    found = BOARD.between[BOARD.numbers[a]][BOARD.numbers[b]]
    assert found == (None if between is None else named(*between))
    assert found == BOARD.between[BOARD.numbers[b]][BOARD.numbers[a]]


def test_aligned_squares_share_a_row_or_a_file() -> None:
    assert BOARD.aligned[BOARD.numbers["b2"]] == named(
        "a2", "c2", "d2", "e2", "f2", "b1", "b3", "b4", "b5", "b6", "b7", "b8"
    )


def test_a_queen_stops_before_what_is_occupied() -> None:
    occupied = named("c1", "a3", "b2", "f8", "d5")
    reached = queen_stops(BOARD.lines[BOARD.numbers["a1"]], occupied)
    assert sorted(BOARD.names[square] for square in reached) == ["a2", "b1"]
    free = queen_stops(BOARD.lines[BOARD.numbers["d4"]], 0)
    assert len(set(free)) == len(free) == 7 + 5 + 5 + 5
    for square in range(48):
        for target in range(48):
            between = BOARD.between[square][target]
            legal = between is not None and not (between | 1 << target) & occupied
            assert (target in queen_stops(BOARD.lines[square], occupied)) == legal
