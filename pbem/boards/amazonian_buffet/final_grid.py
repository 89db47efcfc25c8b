"""Small picture of Amazonian Buffet's grid at the end of its stage: who claimed which card, and where."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.boards.amazonian_buffet.squares import FILES, ROWS
from pbem.boards.numbers import number
from pbem.boards.palette import tone
from pbem.boards.shapes import PALE_ATTRIBUTES, WIDTH, last_move, panel
from pbem.boards.stroke_font import label
from pbem.i18n import _

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from pbem.boards.amazonian_buffet.grid import Pieces
    from pbem.boards.drawing import Board
    from pbem.boards.playing_cards import PlayingCards
    from pbem.boards.shapes import Point

_MARGIN = 16.0
_HEAD, _FOOT, _LEFT, _RIGHT = 48.0, 36.0, 40.0, 12.0
"""Strips around the squares: a heading, the names of files, the numbers of rows, and an empty one."""
_CELL_WIDTH = (WIDTH - 2 * _MARGIN - _LEFT - _RIGHT) / len(FILES)
_CELL_HEIGHT = 42.0
_CARD_WIDTH, _CARD_HEIGHT = _CELL_WIDTH - 6, _CELL_HEIGHT - 6
_NAME_HEIGHT = 21.0
_PIECE_SCALE, _PIECE_OFFSET = 0.55, _CARD_WIDTH / 2 - 18
"""Scale of a stone, and its distance to the right of the middle."""

FINAL_GRID_HEIGHT = _HEAD + _CELL_HEIGHT * len(ROWS) + _FOOT
"""Height of the picture."""


def draw_final_grid(
    cards: PlayingCards, pieces: Pieces, board: Board, top: float, marked: Collection[str]
) -> Iterator[str]:
    """Draw the grid: claimed cards with their stones, and the others paler."""
    box = (_MARGIN, top, WIDTH - 2 * _MARGIN, FINAL_GRID_HEIGHT)
    yield panel(box, "felt", 14)
    held = {
        f"{file}{row}": card
        for row, line in enumerate(board["grid"], 1)
        for file, card in zip(FILES, line, strict=True)
    }
    stones: dict[str, int] = board["stones"]
    claimed = {name: middle for name, middle in _centres(top) if name in stones}
    left = {name: middle for name, middle in _centres(top) if name not in stones}
    text = _("{claimed} claimed, {left} left", claimed=len(claimed), left=len(left))
    yield label(_("the grid, as it ended"), _MARGIN + 20, top + 32, 19, "ink", "start", 1.7)
    yield label(text, WIDTH - _MARGIN - 18, top + 32, 19, "faint", "end", 1.7)
    sheets = "".join(map(_card_outline, claimed.values()))
    yield f"<g {tone('card-edge')}><g {tone('card')}>{sheets}</g></g>"
    yield from cards.names({held[name]: _shift_left(middle) for name, middle in claimed.items()}, _NAME_HEIGHT)
    yield f"<g {PALE_ATTRIBUTES}>"
    yield from cards.names({held[name]: _shift_left(middle) for name, middle in left.items()}, _NAME_HEIGHT)
    yield "</g>"
    for name, (x, y) in claimed.items():
        yield pieces.draw("stone", stones[name], x + _PIECE_OFFSET, y, _PIECE_SCALE)
    for seat, pawns in enumerate(board["pawns"], 1):
        for x, y in map(left.__getitem__, pawns):
            yield pieces.draw("pawn", seat, x + _PIECE_OFFSET, y, _PIECE_SCALE * 0.9)
    for name, (x, y) in _centres(top):
        if name in marked:
            yield last_move((x - _CARD_WIDTH / 2, y - _CARD_HEIGHT / 2, _CARD_WIDTH, _CARD_HEIGHT), 3)
    yield from _edges(top)


def _centres(top: float) -> Iterator[tuple[str, Point]]:
    """Yield every square's name and its centre."""
    for down, row in enumerate(ROWS):
        for across, file in enumerate(FILES):
            x, y = _MARGIN + _LEFT + (across + 0.5) * _CELL_WIDTH, top + _HEAD + (down + 0.5) * _CELL_HEIGHT
            yield f"{file}{row}", (x, y)


def _shift_left(middle: Point) -> Point:
    """Return a point moved left, which leaves room for a piece to the right of a card's name."""
    return middle[0] - 15, middle[1]


def _card_outline(middle: Point) -> str:
    """Draw the outline of a small card with round corners."""
    left, top = number(middle[0] - _CARD_WIDTH / 2), number(middle[1] - _CARD_HEIGHT / 2)
    return f'<rect x="{left}" y="{top}" width="{number(_CARD_WIDTH)}" height="{number(_CARD_HEIGHT)}" rx="6"/>'


def _edges(top: float) -> Iterator[str]:
    for place, file in enumerate(FILES):
        x = _MARGIN + _LEFT + (place + 0.5) * _CELL_WIDTH
        yield label(file, x, top + FINAL_GRID_HEIGHT - 12, 18, "faint", "middle", 1.7)
    for place, row in enumerate(ROWS):
        y = top + _HEAD + (place + 0.5) * _CELL_HEIGHT + 9
        yield label(str(row), _MARGIN + _LEFT / 2, y, 18, "faint", "middle", 1.7)
