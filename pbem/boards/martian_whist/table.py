"""Picture of Martian Whist: the numbered trees or the trick, and what each player has."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from pbem.boards.player_names import player_label
from pbem.boards.shapes import WIDTH, Box, frame, last_move, panel, plate, rectangle, touch_area, touchable
from pbem.boards.shapes import sheet as put_together
from pbem.boards.stacks import NO_COLOUR, NO_SIZE, Pyramids, split_stack, stack_height, stack_width
from pbem.boards.stroke_font import fitted_label, fitting_size, label
from pbem.games.pyramids import COLOURS, SIZES
from pbem.i18n import _, several

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pbem.boards.drawing import Board, Entry, Turn

_MARGIN = 16.0
_FELT_WIDTH = WIDTH - 2 * _MARGIN
_TREES_PER_ROW = 5
_CELL_WIDTH, _TREE_HEIGHT = _FELT_WIDTH / _TREES_PER_ROW, 162.0
_TRICK_HEIGHT = 330.0
_PANEL_WIDTH = (_FELT_WIDTH - _MARGIN) / 2
_HEADER_HEIGHT, _MATRIX_HEIGHT, _WON_HEIGHT = 50.0, 172.0, 104.0
_LINE_HEIGHT = 38.0
_WON_SCALE = 0.72


def picture(board: Board, names: Sequence[str], you: int | None, turn: Turn, title: str, description: str) -> str:
    """Draw a board."""
    last = turn.log[-1] if turn.log else None
    pyramids = Pyramids("whist")
    drafting = board["stage"] == "draft"
    felt = 12 + _TREE_HEIGHT * len(_rows(board)) if drafting else _TRICK_HEIGHT
    top, tall = 2 * _MARGIN + felt, _panel_height(board)
    boxes = [(_MARGIN + number * (_PANEL_WIDTH + _MARGIN), top, _PANEL_WIDTH, tall) for number in range(len(names))]
    # The background comes first: it is the same from move to move.
    parts = [rectangle((_MARGIN, _MARGIN, _FELT_WIDTH, felt), "felt", 16)]
    for seat, box in enumerate(boxes, 1):
        parts.append(panel(box, "card", 16))
        parts += [frame(box, "accent", 4, 16)] if seat in turn.to_move else []
    parts += _trees(pyramids, board, last) if drafting else _trick(pyramids, board, names, last)
    for seat, (name, box) in enumerate(zip(names, boxes, strict=True), 1):
        taken = str(last["took"] or "") if last and last["seat"] == seat else ""
        parts += _panel(pyramids, board, seat, player_label(name, seat, you), box, taken)
    if you is not None and not drafting:
        parts += _stash_places(board, you, boxes[you - 1])
    return put_together(title, description, top + tall + _MARGIN, parts, pyramids.definitions())


def _stash_places(board: Board, you: int, box: Box) -> Iterator[str]:
    """Return the counts of the viewer's pyramids as places to touch."""
    left, top, width, _height = box
    across, first = (width - 146) / (len(COLOURS) - 1), left + 100
    for row, size in enumerate(reversed(SIZES)):
        line = top + _HEADER_HEIGHT + 34 + 88 + row * _LINE_HEIGHT
        for column, colour in enumerate(COLOURS):
            if colour + size in board["stashes"][you - 1]:
                x = first + column * across - 3
                yield touch_area(colour + size, (x - across / 2 + 2, line - 30, across - 4, _LINE_HEIGHT - 1))


def _trees(pyramids: Pyramids, board: Board, last: Entry | None) -> Iterator[str]:
    taken = {int(last["move"].removeprefix("take ")): last["took"]} if last and last["move"].startswith("take ") else {}
    standing = {tree["number"]: split_stack(tree["pieces"]) for tree in board["trees"]}
    for line, row in enumerate(_rows(board), 1):
        ground = _MARGIN + line * _TREE_HEIGHT - 6
        for column in range(_TREES_PER_ROW):
            number, x = row * _TREES_PER_ROW + column + 1, _MARGIN + (column + 0.5) * _CELL_WIDTH
            if number in standing:
                tree = pyramids.stack(standing[number], x + 18, ground)
                yield touchable(f"take {number}", tree + plate(str(number), x - 44, ground - 22, 23))
            else:
                yield label(str(number), x - 44, ground - 11, 20, "arrow", "middle", 1.5)
            if number in taken:
                yield _taken_place(standing.get(number, ()), taken[number], x + 18, ground)


def _taken_place(below: Sequence[str], taken: str, x: float, ground: float) -> str:
    """Mark the place on a tree from which the last pyramid was taken."""
    wide, high = stack_width((taken,)), stack_height((taken,))
    top = ground - stack_height((*below, taken))
    return last_move((x - wide / 2 - 3, top - 3, wide + 6, high + 6))


def _rows(board: Board) -> list[int]:
    # Rows without a tree are left out; the others keep their numbers, so each tree keeps its column.
    return sorted({(tree["number"] - 1) // _TREES_PER_ROW for tree in board["trees"]})


def _trick(pyramids: Pyramids, board: Board, names: Sequence[str], last: Entry | None) -> Iterator[str]:
    head, trick, past = _displayed_trick(board, names)
    yield fitted_label(head, WIDTH / 2, _MARGIN + 36, 22, _FELT_WIDTH - 40)
    ground, scale = _MARGIN + 244, 1.1 if past else 1.3
    if past:
        yield label(_("last trick"), WIDTH / 2, ground - 60, 17, "faint", "middle", 1.6)
    places = ((WIDTH * 0.26, trick["leader"], trick["led"]), (WIDTH * 0.74, 3 - trick["leader"], trick["followed"]))
    for x, seat, tree in places:
        leads, won = seat == trick["leader"], trick["winner"] == seat
        if tree:
            did = _action_label(leads=leads, won=won)
            yield pyramids.stack(split_stack(tree), x, ground, scale)
        else:
            did = _("to lead") if leads else _("to follow")
            due = leads or bool(trick["led"])
            yield frame((x - 54, ground - 164, 108, 164), "accent" if due else "arrow", 3, 14, "3 9")
        if tree and last and not last["took"] and last["seat"] == seat:
            yield last_move((x - 58, ground - 164, 116, 174))
        name = names[seat - 1]
        yield label(name, x, ground + 44, fitting_size(name, 21, 312), "ink", "middle", 1.6)
        yield label(did, x, ground + 74, fitting_size(did, 18, 312), "ink" if won else "faint", "middle", 1.6)


def _action_label(*, leads: bool, won: bool) -> str:
    if leads:
        return _("led and won") if won else _("led")
    return _("followed and won") if won else _("followed")


def _displayed_trick(board: Board, names: Sequence[str]) -> tuple[str, dict[str, Any], bool]:
    history = board["history"]
    if board["stage"] == "over":
        first, second = board["scores"]
        if first == second:
            return _("A draw, {points} all", points=first), history[-1], True
        winner, best, least = (0, first, second) if first > second else (1, second, first)
        return _("{name} wins {best} : {least}", name=names[winner], best=best, least=least), history[-1], True
    number, leader = {"number": board["trick"], "all": board["limit"]}, names[board["leader"] - 1]
    if history and not board["led"]:
        return _("Trick {number} of {all}: {leader} to lead", **number, leader=leader), history[-1], True
    head = _("Trick {number} of {all}", **number)
    return head, {"leader": board["leader"], "led": board["led"], "followed": None, "winner": None}, False


def _panel_height(board: Board) -> float:
    rows = max(-(-len(won) // _TREES_PER_ROW) for won in board["won"])
    held = any(board["stashes"]) or board["stage"] == "draft"
    return (
        _HEADER_HEIGHT
        + (0 if board["stage"] == "draft" else 34)
        + (_MATRIX_HEIGHT if held else 0)
        + rows * _WON_HEIGHT
        + 12
    )


def _panel(pyramids: Pyramids, board: Board, seat: int, name: str, box: Box, taken: str) -> Iterator[str]:
    """Draw what a seat has; `taken` is the pyramid that it took by the last move, if any."""
    left, top, width, _height = box
    yield fitted_label(name, left + 18, top + 38, 23, width - 36, "ink", "start")
    at = top + _HEADER_HEIGHT
    won = board["won"][seat - 1]
    if board["stage"] != "draft":
        tricks = several("{count} trick", "{count} tricks", len(won))
        points = several("{count} point", "{count} points", board["scores"][seat - 1])
        yield label(f"{tricks}, {points}", left + 18, at + 22, 19, "faint", "start", 1.6)
        at += 34
    if any(board["stashes"]) or board["stage"] == "draft":
        stash = Counter[str](board["stashes"][seat - 1])
        yield from _matrix(pyramids, board, stash, (left, at, width, _MATRIX_HEIGHT), taken)
        at += _MATRIX_HEIGHT
    for number, tree in enumerate(map(split_stack, won)):
        row, column = divmod(number, _TREES_PER_ROW)
        x = left + 12 + (column + 0.5) * (width - 24) / _TREES_PER_ROW
        yield pyramids.stack(tree, x, at + (row + 1) * _WON_HEIGHT - 4, _WON_SCALE)


def _matrix(pyramids: Pyramids, board: Board, stash: Counter[str], box: Box, taken: str) -> Iterator[str]:
    left, top, width, _ = box
    drafting = board["stage"] == "draft"
    first, last = (left + 84, left + width - 98) if drafting else (left + 100, left + width - 46)
    step = (last - first) / (len(COLOURS) - 1)
    for column, colour in enumerate(COLOURS):
        yield pyramids.stack((colour + NO_SIZE,), first + column * step, top + 50, 0.76)
    for row, size in enumerate(reversed(SIZES)):
        line = top + 88 + row * _LINE_HEIGHT
        yield label(size, left + 22, line, 20, "faint", "middle", 1.7)
        yield pyramids.stack((NO_COLOUR + size,), left + 46, line + 3, 0.36)
        for column, colour in enumerate(COLOURS):
            count = stash[colour + size]
            x = first + column * step - 3
            yield label(str(count), x, line, 22, "ink" if count else "line", "middle", 1.7)
            if colour + size == taken:
                yield last_move((x - 17, line - 29, 34, 36), 3)
        if drafting:
            total = sum(stash[colour + size] for colour in COLOURS)
            colour = "accent" if total == board["limit"] else "faint"
            yield label(f"{total}/{board['limit']}", left + width - 14, line - 1, 18, colour, "end", 1.7)
