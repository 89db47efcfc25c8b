"""Picture of Amazonian Buffet's hands: three against three, with each player's pool below."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.boards.amazonian_buffet.final_grid import FINAL_GRID_HEIGHT, draw_final_grid
from pbem.boards.amazonian_buffet.grid import Pieces, last_squares, pools, pools_height
from pbem.boards.hand_comparison import level_title
from pbem.boards.player_names import player_label
from pbem.boards.playing_cards import BACK, CARD_HEIGHT, PlayingCards
from pbem.boards.shapes import WIDTH, Box, last_move, panel
from pbem.boards.shapes import sheet as put_together
from pbem.boards.stroke_font import fitted_label, fitting_size, label
from pbem.games.amazonian_buffet.layouts import KEEP
from pbem.games.poker import level
from pbem.i18n import _, marked

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pbem.boards.drawing import Board, Turn

_MARGIN = 16.0
_HEADER_HEIGHT = 98.0
_SCALE = 0.82
_GAP = 16.0
_SIDE_WIDTH = (WIDTH - 2 * _MARGIN - _GAP) / 2
_ROW_HEIGHT = CARD_HEIGHT * _SCALE + 62
_HANDS = 3
_HAND_LABELS = (marked("first hands"), marked("second hands"), marked("third hands"))


def picture(board: Board, names: Sequence[str], you: int | None, turn: Turn, title: str, description: str) -> str:
    """Draw the hands that are shown or sealed, both pools, and a small grid."""
    cards, pieces = PlayingCards("buffet"), Pieces()
    parts, top = [*_head(pieces, board, names, you, turn)], _HEADER_HEIGHT
    changed = [entry["seat"] for entry in turn.log if entry["stage"] == "adjust" and entry["move"] not in {KEEP, None}]
    for number in range(_HANDS if board["comparisons"] or any(board["sealed"]) else 0):
        parts += _contest(cards, board, number, you, top)
        parts += [last_move(_contest_box(seat, top + 30)) for seat in changed if board["stage"] == "over"]
        top += _ROW_HEIGHT + 32
    if isinstance(board["own"], list) and board["comparisons"]:
        parts += _new_hands(cards, board, top)
        top += _ROW_HEIGHT + 32
    parts += pools(cards, pieces, board, names, you, turn, top + 6)
    top += pools_height(board) + 6
    parts += draw_final_grid(cards, pieces, board, top, last_squares(turn))
    top += FINAL_GRID_HEIGHT
    return put_together(title, description, top + _MARGIN, parts, pieces.definitions() + cards.definitions())


def _head(pieces: Pieces, board: Board, names: Sequence[str], you: int | None, turn: Turn) -> Iterator[str]:
    stage = board["stage"]
    if stage == "over":
        first, second = board["won"]
        if first == second:
            text = _("A draw, {first} : {second}", first=first, second=second)
        else:
            text = _("{name} wins", name=names[0] if first > second else names[1])
    else:
        text = _("Make three hands") if stage == "layout" else _("Change your hands or keep them")
    yield fitted_label(text, WIDTH / 2, 36, 24, WIDTH - 80)
    for seat, name in enumerate(names, 1):
        x = _MARGIN + (seat - 1) * (_SIDE_WIDTH + _GAP)
        won = f": {board['won'][seat - 1]}" if board["won"] else ""
        yield pieces.draw("stone", seat, x + 22, 72, 0.6)
        text, colour = player_label(name, seat, you) + won, "accent" if seat in turn.to_move else "ink"
        yield fitted_label(text, x + 46, 80, 22, _SIDE_WIDTH - 60, colour, "start")


def _contest(cards: PlayingCards, board: Board, number: int, you: int | None, top: float) -> Iterator[str]:
    """Draw the hands of one number side by side, with a word at the winning one."""
    yield label(_(_HAND_LABELS[number]), WIDTH / 2, top + 16, 17, "faint", "middle", 1.7)
    top += 30
    result = board["comparisons"][number] if board["comparisons"] else None
    for seat in (1, 2):
        hand = _hand(board, seat, number, you)
        box = _contest_box(seat, top)
        wins = result is not None and result["winner"] == seat
        yield panel(box, "glow" if wins else "felt", 14)
        if hand:
            yield cards.row(hand, box[0] + 10, top + 10, _SIDE_WIDTH - 20, _SCALE, step=74)
        ground = top + box[3] - 12
        known = bool(hand) and BACK not in hand
        if result is not None:
            text = level_title(result["levels"][seat - 1])
        elif known or (board["own"] and seat == you):
            text = level_title(level(hand))
        else:
            text = _("sealed") if hand else ""
        if wins:
            text = _("{hand}, wins", hand=text) if board["stage"] == "over" else _("{hand}, ahead", hand=text)
        size = fitting_size(text, 19, _SIDE_WIDTH - 20)
        yield label(text, box[0] + _SIDE_WIDTH / 2, ground, size, "ink", "middle", 1.8)


def _contest_box(seat: int, top: float) -> Box:
    return _MARGIN + (seat - 1) * (_SIDE_WIDTH + _GAP), top, _SIDE_WIDTH, _ROW_HEIGHT - 8


def _hand(board: Board, seat: int, number: int, you: int | None) -> Sequence[str]:
    """Return a hand as it is shown, as the viewer sealed it, or as a back if the other player sealed it."""
    shown = board["layouts"][seat - 1]
    if shown:
        hand: Sequence[str] = shown[number]
        return hand
    if not board["sealed"][seat - 1]:
        return ()
    return board["own"][number] if seat == you and board["own"] else (BACK,)


def _new_hands(cards: PlayingCards, board: Board, top: float) -> Iterator[str]:
    """Draw the new hands that the viewer has sealed, unseen by the opponent."""
    yield label(_("your new hands, sealed"), WIDTH / 2, top + 16, 17, "accent", "middle", 1.7)
    cell = (WIDTH - 2 * _MARGIN) / _HANDS
    for number, hand in enumerate(board["own"]):
        box = (_MARGIN + number * cell + 3, top + 30, cell - 6, _ROW_HEIGHT - 8)
        yield panel(box, "felt", 14)
        if hand:
            yield cards.row(hand, box[0] + 8, box[1] + 10, box[2] - 16, _SCALE, step=74)
        yield label(level_title(level(hand)), box[0] + box[2] / 2, box[1] + box[3] - 12, 19, "ink", "middle", 1.8)
