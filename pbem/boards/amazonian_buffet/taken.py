"""Small picture of Amazonian Buffet's grid at the end of its stage: who claimed which card, and where."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.boards.lettering import label
from pbem.boards.numbers import number
from pbem.boards.palette import tone
from pbem.boards.shapes import PALE, WIDTH, frame, rectangle
from pbem.i18n import _

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.boards.amazonian_buffet.grid import Pieces
    from pbem.boards.drawing import Board
    from pbem.boards.playing_cards import PlayingCards
    from pbem.boards.shapes import Point

_MARGIN = 16.0
_FILES = "abcdef"
_ROWS = range(8, 0, -1)
_HEAD, _FOOT, _LEFT, _RIGHT = 48.0, 36.0, 40.0, 12.0
"""Strips around the squares: a heading, the names of files, the numbers of rows, and an empty one."""
_CELL_WIDE = (WIDTH - 2 * _MARGIN - _LEFT - _RIGHT) / len(_FILES)
_CELL_HIGH = 42.0
_CARD_WIDE, _CARD_HIGH = _CELL_WIDE - 6, _CELL_HIGH - 6
_NAME_HIGH = 21.0
_PIECE, _ASIDE = 0.55, _CARD_WIDE / 2 - 18
"""Scale of a stone, and its distance to the right of the middle."""

HIGH = _HEAD + _CELL_HIGH * len(_ROWS) + _FOOT
"""Height of the picture."""


def taken(cards: PlayingCards, pieces: Pieces, board: Board, top: float) -> Iterator[str]:
    """Draw the grid: claimed cards with their stones, and the others paler."""
    box = (_MARGIN, top, WIDTH - 2 * _MARGIN, HIGH)
    yield rectangle(box, "felt", 14)
    yield frame(box, "line", 2, 14)
    held = {
        f"{file}{row}": card
        for row, line in enumerate(board["grid"], 1)
        for file, card in zip(_FILES, line, strict=True)
    }
    stones: dict[str, int] = board["stones"]
    claimed = {name: middle for name, middle in _middles(top) if name in stones}
    left = {name: middle for name, middle in _middles(top) if name not in stones}
    said = _("{claimed} claimed, {left} left", claimed=len(claimed), left=len(left))
    yield label(_("the grid, as it ended"), _MARGIN + 20, top + 32, 19, "ink", "start", 1.7)
    yield label(said, WIDTH - _MARGIN - 18, top + 32, 19, "faint", "end", 1.7)
    sheets = "".join(map(_sheet, claimed.values()))
    yield f"<g {tone('card-edge')}><g {tone('card')}>{sheets}</g></g>"
    yield from cards.names({held[name]: _beside(middle) for name, middle in claimed.items()}, _NAME_HIGH)
    yield f"<g {PALE}>"
    yield from cards.names({held[name]: _beside(middle) for name, middle in left.items()}, _NAME_HIGH)
    yield "</g>"
    for name, (x, y) in claimed.items():
        yield pieces.draw("stone", stones[name], x + _ASIDE, y, _PIECE)
    for seat, pawns in enumerate(board["pawns"], 1):
        for x, y in map(left.__getitem__, pawns):
            yield pieces.draw("pawn", seat, x + _ASIDE, y, _PIECE * 0.9)
    yield from _edges(top)


def _middles(top: float) -> Iterator[tuple[str, Point]]:
    """Yield every square's name and its centre."""
    for down, row in enumerate(_ROWS):
        for across, file in enumerate(_FILES):
            x, y = _MARGIN + _LEFT + (across + 0.5) * _CELL_WIDE, top + _HEAD + (down + 0.5) * _CELL_HIGH
            yield f"{file}{row}", (x, y)


def _beside(middle: Point) -> Point:
    """Return a point moved left, which leaves room for a piece to the right of a card's name."""
    return middle[0] - 15, middle[1]


def _sheet(middle: Point) -> str:
    """Draw the outline of a small card with round corners."""
    left, top = number(middle[0] - _CARD_WIDE / 2), number(middle[1] - _CARD_HIGH / 2)
    return f'<rect x="{left}" y="{top}" width="{number(_CARD_WIDE)}" height="{number(_CARD_HIGH)}" rx="6"/>'


def _edges(top: float) -> Iterator[str]:
    for place, file in enumerate(_FILES):
        x = _MARGIN + _LEFT + (place + 0.5) * _CELL_WIDE
        yield label(file, x, top + HIGH - 12, 18, "faint", "middle", 1.7)
    for place, row in enumerate(_ROWS):
        y = top + _HEAD + (place + 0.5) * _CELL_HIGH + 9
        yield label(str(row), _MARGIN + _LEFT / 2, y, 18, "faint", "middle", 1.7)
