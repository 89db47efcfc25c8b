"""Squares of Amazonian Buffet: the grid as text, and what is on each square in sentences."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from pbem.boards.card_words import name as card_name
from pbem.boards.card_words import with_article
from pbem.boards.prose import clean_name
from pbem.i18n import _

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.boards.drawing import Board, Names

FILES = "abcdef"
ROWS = range(8, 0, -1)
"""Rows from the top down."""
_PAWN_MARKS, _STONE_MARKS = "BW", "+o"


def _marks(board: Board) -> dict[str, str]:
    marks: dict[str, str] = {square: _STONE_MARKS[seat - 1] for square, seat in board["stones"].items()}
    for pawns, mark in zip(board["pawns"], _PAWN_MARKS, strict=True):
        marks |= dict.fromkeys(pawns, mark)
    return marks


def lines(board: Board) -> Iterator[str]:
    """Yield the grid as lines of text."""
    marks, row_named = _marks(board), _("Row {row}:   ")
    for row in ROWS:
        cells = [card + marks.get(f"{file}{row}", "") for file, card in zip(FILES, board["grid"][row - 1], strict=True)]
        yield (row_named.format(row=row) + "".join(f"{cell:7}" for cell in cells)).rstrip()
    yield (" " * len(row_named.format(row=1)) + "".join(f" {file}     " for file in FILES)).rstrip()


def describe_row(board: Board, names: Names, you: int | None, row: int) -> str:
    """Describe the squares of a row."""
    taken = {*board["stones"], *chain.from_iterable(board["pawns"])}
    places = {f"{file}{row}": card_name(card) for file, card in zip(FILES, board["grid"][row - 1], strict=True)}
    cards = [add_occupant(card, board, names, you, at) if at in taken else card for at, card in places.items()]
    return _("Row {row}, from a to f: {cards}.", row=row, cards=", ".join(cards))


def describe_square(board: Board, names: Names, you: int | None, square: str) -> str:
    """Describe a square's card and what is on it."""
    card = board["grid"][int(square[1]) - 1][FILES.index(square[0])]
    return add_occupant(with_article(card), board, names, you, square)


def add_occupant(card: str, board: Board, names: Names, you: int | None, square: str) -> str:
    """Add whose stone or pawn is on a square to the description of its card."""
    seat = board["stones"].get(square)
    if seat:
        if seat == you:
            return _("{card} claimed by you", card=card)
        return _("{card} claimed by {name}", card=card, name=clean_name(names[seat - 1]))
    seat = next((seat for seat, places in enumerate(board["pawns"], 1) if square in places), None)
    if seat is None:
        return card
    if seat == you:
        return _("{card} under your pawn", card=card)
    return _("{card} under a pawn of {name}", card=card, name=clean_name(names[seat - 1]))
