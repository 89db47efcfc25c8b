"""Picture of Amazonian Buffet's grid: cards, claim stones and pawns, with each player's pool below."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.boards.amazonian_buffet.squares import FILES, ROWS
from pbem.boards.numbers import number
from pbem.boards.palette import tone
from pbem.boards.player_names import player_label
from pbem.boards.playing_cards import CARD_HEIGHT, PlayingCards, sorted_by_suit
from pbem.boards.shapes import PALE_ATTRIBUTES, WIDTH, Box, definition, frame, last_move, panel, rectangle, touchable
from pbem.boards.shapes import sheet as put_together
from pbem.boards.stroke_font import fitted_label, fitting_size, label, text_width
from pbem.i18n import _, several

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pbem.boards.drawing import Board, Turn

_MARGIN = 16.0
_EDGE_WIDTH = 32.0
"""Width of the strip that carries the names of rows and files."""
_CELL_WIDTH = (WIDTH - 2 * _MARGIN - 2 * _EDGE_WIDTH) / len(FILES)
_CELL_HEIGHT = 90.0
_TOP = 14.0
_GRID_HEIGHT = _CELL_HEIGHT * len(ROWS)
COLOURS = ("black", "white")
"""Colours of the seats' pawns and stones."""
_SHAPES = {
    "pawn": "M-24 36C-24 24-14 20-11 6H-15C-18 6-18-2-15-2H-9C-18-10-17-34 0-34"
    "C17-34 18-10 9-2H15C18-2 18 6 15 6H11C14 20 24 24 24 36z",
    "stone": "M-22 0a22 22 0 1 1 44 0a22 22 0 1 1-44 0zM-13 0a13 13 0 1 1 26 0a13 13 0 1 1-26 0z",
}
_CARDS_PER_ROW, _POOL_SCALE = 13, 0.62
_POOL_ROW_HEIGHT = CARD_HEIGHT * _POOL_SCALE + 8


def picture(board: Board, names: Sequence[str], you: int | None, turn: Turn, title: str, description: str) -> str:
    """Draw the grid and both pools."""
    cards, pieces, marked = PlayingCards("buffet"), Pieces(), last_squares(turn)
    parts = list(_edges())
    for row in ROWS:
        for file, card in zip(FILES, board["grid"][row - 1], strict=True):
            square = f"{file}{row}"
            parts.append(touchable(square, "".join(_square(cards, pieces, board, square, card))))
            if square in marked:
                parts.append(last_move(_square_box(square)))
    top = _TOP + _GRID_HEIGHT + 2 * _EDGE_WIDTH + 8
    if board["idle"]:
        text = several(
            "{count} turn without a claim; 4 in a row end the grid",
            "{count} turns without a claim; 4 in a row end the grid",
            board["idle"],
        )
        parts.append(fitted_label(text, WIDTH / 2, top + 22, 18, WIDTH - 60, "accent"))
        top += 42
    parts += pools(cards, pieces, board, names, you, turn, top)
    definitions = pieces.definitions() + cards.definitions()
    return put_together(title, description, top + pools_height(board) + _MARGIN, parts, definitions)


class Pieces:
    """Pawns and stones of one picture; each kind that is drawn is defined once."""

    def __init__(self) -> None:
        self._kinds: dict[tuple[str, str], None] = {}

    def draw(self, what: str, seat: int, x: float, y: float, scale: float = 1) -> str:
        """Draw a "pawn" or a "stone" of a seat, centred at x and y."""
        colour = COLOURS[seat - 1]
        self._kinds[what, colour] = None
        size = "" if scale == 1 else f"scale({number(scale, 2)})"
        return f'<use href="#buffet-{colour}-{what}" transform="translate({number(x)} {number(y)}){size}"/>'

    def definitions(self) -> str:
        """Return the definition of every kind of piece that was drawn."""
        return "".join(
            definition(
                f"buffet-{colour}-{what}",
                f'<path {tone(colour)} d="{_SHAPES[what]}"/>'
                f'<path {tone(f"{colour}-edge")} fill="none" stroke-width="3" d="{_SHAPES[what]}"/>',
            )
            for what, colour in self._kinds
        )


def pools_height(board: Board) -> float:
    """Return the height of both pools."""
    return sum(54 + _POOL_ROW_HEIGHT * _rows(pool) for pool in board["pools"])


def last_squares(turn: Turn) -> tuple[str, ...]:
    """Return the squares of the last move: from where the pawn slid, to where, and what it claimed."""
    if not turn.log or turn.log[-1]["stage"] != "board":
        return ()
    slide, _space, claim = str(turn.log[-1]["move"]).partition(" ")
    return (*slide.split("-"), claim)


def pools(
    cards: PlayingCards,
    pieces: Pieces,
    board: Board,
    names: Sequence[str],
    you: int | None,
    turn: Turn,
    top: float,
) -> Iterator[str]:
    """Draw each player's pool under the player's name."""
    for seat, bare in enumerate(names, 1):
        name = player_label(bare, seat, you)
        held = sorted_by_suit(board["pools"][seat - 1])
        high = 54 + _POOL_ROW_HEIGHT * _rows(held) - 10
        box = (_MARGIN, top, WIDTH - 2 * _MARGIN, high)
        yield panel(box, "felt", 14, lit=seat in turn.to_move)
        yield pieces.draw("stone", seat, _MARGIN + 28, top + 24, 0.6)
        size = fitting_size(name, 22, 380)
        yield label(name, _MARGIN + 54, top + 33, size, "ink", "start", 1.7)
        text, right = _("{count} cards", count=len(held)), WIDTH - _MARGIN - 18
        yield label(text, right, top + 32, 19, "faint", "end", 1.7)
        if board["stage"] in {"layout", "adjust"} and board["sealed"][seat - 1]:
            at, sealed = _MARGIN + 74 + text_width(name, size), _("sealed")
            room = right - text_width(text, 19) - 14 - at
            yield label(sealed, at, top + 32, fitting_size(sealed, 19, room), "accent", "start", 1.8)
        for line in range(_rows(held)):
            part = held[line * _CARDS_PER_ROW : (line + 1) * _CARDS_PER_ROW]
            left, y = _MARGIN + 12, top + 44 + line * _POOL_ROW_HEIGHT
            yield cards.row(part, left, y, WIDTH - 2 * left, _POOL_SCALE, own=seat == you)
        top += high + 10


def _rows(pool: Sequence[str]) -> int:
    return -(-len(pool) // _CARDS_PER_ROW)


def _edges() -> Iterator[str]:
    bottom = _TOP + _GRID_HEIGHT + _EDGE_WIDTH
    for place, file in enumerate(FILES):
        x = _MARGIN + _EDGE_WIDTH + (place + 0.5) * _CELL_WIDTH
        yield label(file, x, bottom + 26, 23, "ink", "middle", 1.7)
        yield label(file, x, _TOP + 16, 20, "faint", "middle", 1.7)
    for place, row in enumerate(ROWS):
        y = _TOP + _EDGE_WIDTH + (place + 0.5) * _CELL_HEIGHT + 11
        yield label(str(row), _MARGIN + 12, y, 23, "ink", "middle", 1.7)
        yield label(str(row), WIDTH - _MARGIN - 12, y, 20, "faint", "middle", 1.7)


def _square_box(name: str) -> Box:
    left = _MARGIN + _EDGE_WIDTH + FILES.index(name[0]) * _CELL_WIDTH + 2
    top = _TOP + _EDGE_WIDTH + ROWS.index(int(name[1])) * _CELL_HEIGHT + 2
    return left, top, _CELL_WIDTH - 4, _CELL_HEIGHT - 4


def _square(cards: PlayingCards, pieces: Pieces, board: Board, name: str, card: str) -> Iterator[str]:
    left, top, wide, high = box = _square_box(name)
    owner = board["stones"].get(name)
    pawn = next((seat for seat, squares in enumerate(board["pawns"], 1) if name in squares), None)
    yield rectangle(box, "claimed" if owner else "glow" if pawn else "card", 8)
    yield frame(box, "line" if owner else "card-edge", 1.5, 8)
    index = cards.index(card, left + 27, top + 7, 6)
    yield f"<g {PALE_ATTRIBUTES}>{index}</g>" if owner else index
    x, y = left + wide - 32, top + high / 2
    if owner:
        yield pieces.draw("stone", owner, x, y)
    elif pawn:
        yield pieces.draw("pawn", pawn, x, y)
    else:
        yield cards.pip(card[1], x + 2, y, 46)
