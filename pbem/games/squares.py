"""Squares of a rectangular board: their names, and the lines on which a queen slides.

Squares are numbered from 0, row by row from a1; a set of squares is a whole number with one bit for each.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from string import ascii_lowercase
from typing import TYPE_CHECKING, TypeAlias, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

SquareSet: TypeAlias = int
"""Squares as bits: square n is in the set if bit n is 1."""

_LINE_DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))
"""One of the two directions along each line: file, row and both diagonals."""


T = TypeVar("T")
Line: TypeAlias = "tuple[SquareSet, Mapping[SquareSet, tuple[T, ...]]]"
"""A line through one square: its other squares, and for those occupied the places where a queen can stop."""


@dataclass(frozen=True, slots=True)
class Squares:
    """Names and lines of the squares of one board, computed once."""

    names: tuple[str, ...]
    numbers: Mapping[str, int]
    """Squares by name."""
    lines: tuple[tuple[Line[int], ...], ...]
    """The four lines through each square."""
    between: tuple[tuple[SquareSet | None, ...], ...]
    """Squares strictly between two; None if no line joins them, or if they are the same."""
    aligned: tuple[SquareSet, ...]
    """For each square, those that share its row or file, without itself."""


def members(squares: SquareSet) -> list[int]:
    """List the squares of a set in ascending order."""
    found = []
    while squares:
        others = squares & squares - 1
        found.append((squares ^ others).bit_length() - 1)
        squares = others
    return found


def queen_stops(lines: tuple[Line[T], ...], occupied: SquareSet) -> tuple[T, ...]:
    """Return where a queen can stop on the four lines through her square, in the form that the lines have."""
    (file, on_file), (row, on_row), (rising, on_rising), (falling, on_falling) = lines
    return (
        on_file[occupied & file]
        + on_row[occupied & row]
        + on_rising[occupied & rising]
        + on_falling[occupied & falling]
    )


def rectangular_board(files: int, rows: int) -> Squares:
    """Compute the names and lines of a board from its numbers of files (letters) and rows (numbers)."""
    places = [(file, row) for row in range(rows) for file in range(files)]
    number = {place: square for square, place in enumerate(places)}
    names = tuple(f"{ascii_lowercase[file]}{row + 1}" for file, row in places)

    def ray(place: tuple[int, int], east: int, north: int) -> Iterator[int]:
        file, row = place[0] + east, place[1] + north
        while (file, row) in number:
            yield number[file, row]
            file, row = file + east, row + north

    between: list[list[SquareSet | None]] = [[None] * len(places) for _ in places]
    for place, square in number.items():
        for east, north in product((-1, 0, 1), repeat=2):
            passed = 0
            if (east, north) != (0, 0):
                for target in ray(place, east, north):
                    between[square][target] = passed
                    passed |= 1 << target
    return Squares(
        names=names,
        numbers={name: square for square, name in enumerate(names)},
        lines=tuple(
            tuple(
                _line(tuple(ray(place, east, north)), tuple(ray(place, -east, -north)))
                for east, north in _LINE_DIRECTIONS
            )
            for place in places
        ),
        between=tuple(map(tuple, between)),
        aligned=tuple(
            square_set(
                number[other] for other in places if other != place and (other[0] == place[0] or other[1] == place[1])
            )
            for place in places
        ),
    )


def square_set(squares: Iterable[int]) -> SquareSet:
    """Return the set of some squares."""
    return sum(1 << square for square in set(squares))


def subsets(squares: SquareSet) -> Iterator[SquareSet]:
    """Yield every subset of a set of squares, itself and the empty one too."""
    subset = squares
    while subset:
        yield subset
        subset = subset - 1 & squares
    yield 0


def _line(ahead: tuple[int, ...], behind: tuple[int, ...]) -> Line[int]:
    def slides(way: tuple[int, ...]) -> list[tuple[SquareSet, tuple[int, ...]]]:
        """Pair every set of occupied squares in one direction with the squares before the first of them."""
        found = []
        for occupied in product((False, True), repeat=len(way)):
            free = occupied.index(True) if True in occupied else len(way)
            found.append((square_set(square for square, taken in zip(way, occupied, strict=True) if taken), way[:free]))
        return found

    reach = {a | b: stops + more for a, stops in slides(ahead) for b, more in slides(behind)}
    return square_set(ahead + behind), reach
