"""Picture of Martian Trickery: the prizes and the trick, the viewer's hand, and what each player has won."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from pbem.boards.player_names import player_label
from pbem.boards.playing_cards import (
    CARD_HEIGHT,
    CARD_WIDTH,
    OPEN_HAND_HEIGHT,
    PlayingCards,
    open_hands,
    sorted_by_suit,
)
from pbem.boards.prose import clean_name
from pbem.boards.shapes import WIDTH, Box, frame, last_move, panel, rectangle, touchable
from pbem.boards.shapes import sheet as put_together
from pbem.boards.stacks import Pyramids, stack_width
from pbem.boards.stroke_font import fitted_label, fitting_size, label, text_width
from pbem.games.martian_trickery.position import Terms
from pbem.i18n import _, meaning, several

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pbem.boards.drawing import Board, Turn

_MAX_NAME_LENGTH = 12
"""Maximum length of a name below a card, in characters."""
_MARGIN = 16.0
_FELT_WIDTH = WIDTH - 2 * _MARGIN
_HEADER_HEIGHT = 58.0
_PRIZE_ROW_HEIGHT, _ROWS = 112.0, 2
_TRICK_HEIGHT = 268.0
_CARD_SCALE = 1.1
_HAND_HEIGHT = 214.0
_SEAT_HEIGHT = 88.0
_NAME_WIDTH, _HAUL_WIDTH = 202.0, 306.0


def picture(board: Board, names: Sequence[str], you: int | None, turn: Turn, title: str, description: str) -> str:
    """Draw a board."""
    pyramids, cards = Pyramids("trickery"), PlayingCards("trickery")
    over = board["phase"] == "over"
    top = _HEADER_HEIGHT
    prizes_high = 0 if over else _ROWS * _PRIZE_ROW_HEIGHT + 14
    ground = [rectangle((_MARGIN, top, _FELT_WIDTH, prizes_high + _TRICK_HEIGHT), "felt", 16)]
    parts = [*_head(cards, board)]
    if not over:
        parts += _prizes(pyramids, board, top)
    top += prizes_high
    last = str(turn.log[-1]["move"]).split(" ")[-1] if turn.log else ""
    parts += _trick(pyramids, cards, board, names, top, last)
    top += _TRICK_HEIGHT + _MARGIN
    if board["hand"]:
        held = sorted_by_suit(board["hand"])
        raised = _playable(board, you, held)
        parts.append(cards.row(held, _MARGIN, top + 24, _FELT_WIDTH, 1.05, raised=raised, own=True))
        top += _HAND_HEIGHT
    if any(board.get("hands_open", ())):
        parts += open_hands(cards, board["hands_open"], names, (_MARGIN, top, _FELT_WIDTH))
        top += OPEN_HAND_HEIGHT * len(names)
    ground += [panel(_seat_box(seat, top), "card", 14, lit=seat in turn.to_move) for seat in range(1, len(names) + 1)]
    parts += _seats(pyramids, board, [player_label(name, seat, you) for seat, name in enumerate(names, 1)], top)
    top += 34 + _SEAT_HEIGHT * len(names)
    definitions = pyramids.definitions() + cards.definitions()
    return put_together(title, description, top + _MARGIN, [*ground, *parts], definitions)


def _head(cards: PlayingCards, board: Board) -> Iterator[str]:
    text, left, right = _heading(board), _MARGIN + 8, WIDTH - _MARGIN - 8
    if board["phase"] != "over":
        broken = _("broken") if board["broken"] else _("not broken")
        yield label(broken, right, 38, 19, "accent" if board["broken"] else "faint", "end", 1.7)
        pip = right - text_width(broken, 19) - 26
        yield cards.pip("S", pip, 29, 30)
        right = pip - 24
    yield fitted_label(text, left, 39, 23, right - left, "ink", "start")


def _heading(board: Board) -> str:
    """Return a heading with the hand and trick of a board."""
    place = {"number": board["hand_number"], "all": board["hands"], "trick": board["trick_number"]}
    if board["hand_number"] > board["hands"]:
        if board["phase"] == "over":
            return _("Hand {number}, a tie-break: the end", **place)
        return _("Hand {number}, a tie-break, trick {trick} of 12", **place)
    if board["phase"] == "over":
        return _("Hand {number} of {all}: the end", **place)
    return _("Hand {number} of {all}, trick {trick} of 12", **place)


def _prizes(pyramids: Pyramids, board: Board, top: float) -> Iterator[str]:
    left: Counter[str] = Counter(board["middle"])
    every = Terms(len(board["won"]), board["prizes"], board["out"], board["hands"]).middle
    columns = len(every) // _ROWS
    cell = _FELT_WIDTH / columns
    for at, prize in enumerate(every):
        x, ground = _MARGIN + (at % columns + 0.5) * cell, top + (at // columns + 1) * _PRIZE_ROW_HEIGHT
        if left[prize]:
            left[prize] -= 1
            yield touchable(prize, pyramids.stack((prize,), x, ground, 1.06))
        else:
            yield label("·", x, ground - 6, 30, "line", "middle", 3)


def _trick(
    pyramids: Pyramids, cards: PlayingCards, board: Board, names: Sequence[str], top: float, last: str
) -> Iterator[str]:
    """Draw the trick in order of play, or the last one if no card has been led; `last` is the last card played."""
    past: dict[str, Any] | None = board["tricks"][-1] if board["tricks"] and not board["trick"] else None
    laid = past["cards"] if past else board["trick"]
    prize, winner = (past["prize"], past["winner"]) if past else (board["prize"], None)
    leader = laid[0]["seat"] if laid else board["leader"]
    first = 132.0
    cell = (_FELT_WIDTH - first) / len(names)
    high, ground = CARD_HEIGHT * _CARD_SCALE, top + 22 + CARD_HEIGHT * _CARD_SCALE
    x = _MARGIN + first / 2 + 8
    if prize:
        yield pyramids.stack((prize,), x, ground - 16, 1.3)
    else:
        yield frame((x - 44, ground - 126, 88, 110), "arrow", 3, 14, "3 9")
    yield fitted_label(_("last trick") if past else _("the prize"), x, ground + 34, 19, first - 8, "faint")
    for place in range(len(names)):
        seat = (leader - 1 + place) % len(names) + 1
        middle = _MARGIN + first + (place + 0.5) * cell
        box = (middle - CARD_WIDTH * _CARD_SCALE / 2, top + 22, CARD_WIDTH * _CARD_SCALE, high)
        won = seat == winner
        if place < len(laid):
            yield cards.card(laid[place]["card"], box[0], box[1], _CARD_SCALE)
            did, due = _action_label(first=place == 0, won=won, past=bool(past)), False
        else:
            due = place == len(laid)
            yield frame(box, "accent" if due else "arrow", 3, 12, "3 9")
            did = (_("to lead") if place == 0 else _("to play")) if due else ""
        if place < len(laid) and laid[place]["card"] == last:
            yield last_move((box[0] - 7, box[1] - 7, box[2] + 14, box[3] + 14))
        name = clean_name(names[seat - 1], _MAX_NAME_LENGTH)
        yield fitted_label(name, middle, ground + 36, 21, cell - 14, "accent" if due else "ink")
        if did:
            yield fitted_label(did, middle, ground + 66, 18, cell - 14, "accent" if due else "ink" if won else "faint")


def _action_label(*, first: bool, won: bool, past: bool) -> str:
    """Return what a player did in a trick."""
    if first:
        return _("led and won") if won else _("led")
    if won:
        return meaning("a trick", "won")
    return _("followed") if past else meaning("a card", "played")


def _playable(board: Board, you: int | None, held: Sequence[str]) -> list[str]:
    """Return the cards that the seat to move may play now; they are drawn a little higher."""
    seats = len(board["hand_sizes"])
    if you != (board["leader"] - 1 + len(board["trick"])) % seats + 1:
        return []
    if board["trick"]:
        suited = [card for card in held if card[1] == board["trick"][0]["card"][1]]
        return suited or list(held)
    plain = [card for card in held if card[1] != "S"]
    return list(held) if board["broken"] or not plain else plain


def _seat_box(seat: int, top: float) -> Box:
    return (_MARGIN, top + 34 + (seat - 1) * _SEAT_HEIGHT, _FELT_WIDTH, _SEAT_HEIGHT - 8)


def _seats(pyramids: Pyramids, board: Board, names: Sequence[str], top: float) -> Iterator[str]:
    worth_at, total_at = _MARGIN + _FELT_WIDTH - 100, _MARGIN + _FELT_WIDTH - 18
    won, worth, total = _("won in this hand"), meaning("over numbers", "worth"), meaning("over numbers", "total")
    won_at, room = _MARGIN + _NAME_WIDTH + 14, total_at - worth_at - 10
    size = min(fitting_size(total, 17, room), fitting_size(won, 17, worth_at - text_width(worth, 17) - 14 - won_at))
    yield label(won, won_at, top + 22, size, "faint", "start", 1.7)
    yield label(worth, worth_at, top + 22, size, "faint", "end", 1.7)
    yield label(total, total_at, top + 22, size, "faint", "end", 1.7)
    best = max(board["totals"])
    for seat, name in enumerate(names, 1):
        box = _seat_box(seat, top)
        line = box[1] + 52
        yield fitted_label(name, box[0] + 16, box[1] + 35, 22, _NAME_WIDTH - 20, "ink", "start")
        yield fitted_label(_hand_label(board, seat), box[0] + 16, box[1] + 63, 16, _NAME_WIDTH - 20, "faint", "start")
        yield from _haul(pyramids, board["won"][seat - 1], (box[0] + _NAME_WIDTH + 8, box[1], _HAUL_WIDTH, box[3]))
        yield label(str(board["worth"][seat - 1]), worth_at, line, 23, "ink", "end", 1.7)
        points = board["totals"][seat - 1]
        crowned = board["phase"] == "over" and points == best
        yield label(str(points), total_at, line, 25, "accent" if crowned else "ink", "end", 2)


def _hand_label(board: Board, seat: int) -> str:
    if board["phase"] == "over":
        return meaning("a match", "wins") if board["totals"][seat - 1] == max(board["totals"]) else ""
    cards = several("{count} card", "{count} cards", board["hand_sizes"][seat - 1])
    return _("{cards}, dealer", cards=cards) if seat == board["dealer"] else cards


def _haul(pyramids: Pyramids, haul: Sequence[str], box: Box) -> Iterator[str]:
    left, top, width, high = box
    scale = min(0.78, width / max(sum(stack_width((prize,)) + 6 for prize in haul), 1)) if haul else 1
    at = left
    for prize in haul:
        across = stack_width((prize,)) * scale
        yield pyramids.stack((prize,), at + across / 2, top + high - 5, scale)
        at += across + 6 * scale
