"""Picture of Montauk: two tracks with the trick between them, and the viewer's hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.boards.numbers import number
from pbem.boards.palette import tone
from pbem.boards.player_names import player_label
from pbem.boards.playing_cards import (
    BACK,
    CARD_HEIGHT,
    CARD_WIDTH,
    OPEN_HAND_HEIGHT,
    PlayingCards,
    open_hands,
    sorted_by_suit,
)
from pbem.boards.prose import clean_name
from pbem.boards.shapes import WIDTH, Box, definition, frame, last_move, panel, plate, touch_area, touchable
from pbem.boards.shapes import sheet as put_together
from pbem.boards.stacks import Pyramids
from pbem.boards.stroke_font import fitted_label, fitting_size, label, text_width
from pbem.games.montauk.cards import BEATS, VALUE
from pbem.i18n import _, meaning, several

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from pbem.boards.drawing import Board, Entry

_MAX_NAME_LENGTH = 12
"""Maximum length of a name below a card, in characters."""
_MARGIN = 16.0
_FELT_WIDTH = WIDTH - 2 * _MARGIN
_HEADER_HEIGHT = 56.0
_SPOTS = (6, 5, 4, 3, 2, 1)
_GAP = 8.0
_VAULT_WIDTH = 130.0
_SPOT_WIDTH = (_FELT_WIDTH - 24 - _VAULT_WIDTH - _GAP * len(_SPOTS)) / len(_SPOTS)
_NAME_HEIGHT, _SPOT_HEIGHT = 50.0, 166.0
_LANE_HEIGHT = _NAME_HEIGHT + _SPOT_HEIGHT + 12
_TRICK_HEIGHT = 290.0
_PYRAMID_WIDTH = 34.0
_PYRAMID_SHAPES = ("M-17 -17h34v34h-34z", "M17 -17L0 0L-17 17h34z", "M-17 -17l34 34M17 -17l-34 34")
"""A pyramid seen from above: its outline, its shaded half, and its edges."""
_PLAYED_SCALE = 0.56


def picture(
    board: Board,
    names: Sequence[str],
    you: int | None,
    to_move: Collection[int],
    last: Sequence[Entry],
    head: str,
    description: str,
) -> str:
    """Draw a board, with the viewer's track below the other."""
    last = [entry for entry in last if entry["round"] == board["round"]]
    cards, pyramids = PlayingCards("montauk"), Pyramids("montauk")
    near = you or 1
    top = _HEADER_HEIGHT
    ground = [
        *_lane_background(top, lit=3 - near in to_move),
        *_lane_background(top + _LANE_HEIGHT + _TRICK_HEIGHT + 24, lit=near in to_move),
    ]
    parts = [*_head(board, head), *_lane(pyramids, board, 3 - near, names, top, you, last)]
    top += _LANE_HEIGHT + 12
    parts += _trick(cards, board, names, top, last)
    top += _TRICK_HEIGHT + 12
    parts += _lane(pyramids, board, near, names, top, you, last)
    if you is not None and you == board["winner"] and board["to_use"]:
        parts += [touch_area(f"spot {spot}" if spot else "vault", box) for spot, box in _spots(top)]
    top += _LANE_HEIGHT
    if board["hand"]:
        parts += _hand(cards, board, top + 20)
        top += CARD_HEIGHT * 1.02 + 58
    if any(board.get("hands", ())):
        parts += open_hands(cards, board["hands"], names, (_MARGIN, top + 20, _FELT_WIDTH))
        top += OPEN_HAND_HEIGHT * len(names) + 8
    if board["played"]:
        parts += _played(cards, board, top + 20, last)
        top += CARD_HEIGHT * _PLAYED_SCALE + 46
    definitions = _pyramid_definitions() + pyramids.definitions() + cards.definitions()
    return put_together(f"Montauk: {head}", description, top + _MARGIN, [*ground, *parts], definitions)


def _head(board: Board, text: str) -> Iterator[str]:
    over = board["phase"] == "over"
    yield fitted_label(text, _MARGIN + 8, 38, 23, WIDTH - 2 * _MARGIN - (16 if over else 170), "ink", "start")
    if not over:
        yield label(_("trick {trick} of 6", trick=board["trick"]), WIDTH - _MARGIN - 8, 38, 20, "faint", "end", 1.7)


def _lane_background(top: float, *, lit: bool) -> Iterator[str]:
    """Draw the background of a lane, which is the same from move to move."""
    yield panel((_MARGIN, top, _FELT_WIDTH, _LANE_HEIGHT), "felt", 16, lit=lit)
    for spot, place in _spots(top):
        yield panel(place, "card" if spot else "vault", 12)


def _spots(top: float) -> Iterator[tuple[int, Box]]:
    """Yield a lane's spots and their boxes; the vault is spot 0."""
    for place, spot in enumerate(_SPOTS):
        yield spot, (_MARGIN + 12 + place * (_SPOT_WIDTH + _GAP), top + _NAME_HEIGHT, _SPOT_WIDTH, _SPOT_HEIGHT)
    yield 0, (WIDTH - _MARGIN - 12 - _VAULT_WIDTH, top + _NAME_HEIGHT, _VAULT_WIDTH, _SPOT_HEIGHT)


def _lane(
    pyramids: Pyramids,
    board: Board,
    seat: int,
    names: Sequence[str],
    top: float,
    you: int | None,
    last: Sequence[Entry],
) -> Iterator[str]:
    """Draw a seat's name and score, and below them its spots from 6 to the vault."""
    name, line = player_label(names[seat - 1], seat, you), top + 36
    size = fitting_size(name, 23, 250)
    yield label(name, _MARGIN + 16, line, size, "ink", "start", 1.7)
    at = _MARGIN + 34 + text_width(name, size)
    for _null in range(board["nulls"][seat - 1]):
        yield pyramids.stack(("K0",), at + 16, line + 4, 0.58)
        at += 34
    first = _("first!") if board["first"] == seat else ""
    points = board["scores"][seat - 1]
    if points < 0:
        text = _("-1 point") if points == -1 else _("{points} points", points=points)
    else:
        text = several("{count} point", "{count} points", points)
    if board["phase"] != "over" and seat != you:
        text = f"{several('{count} card', '{count} cards', board['hand_sizes'][seat - 1])}, {text}"
    right = WIDTH - _MARGIN - 18
    fits = min(1, (right - at - 20) / (text_width(first, 20) + text_width(text, 22)))
    if first:
        yield label(first, at + 6, line, 20 * fits, "accent", "start", 1.9)
    yield label(text, right, line, 22 * fits, "ink", "end", 1.7)
    track, touched = board["tracks"][seat - 1], _last_spots(last, seat)
    for spot, box in _spots(top):
        yield from _spot(box, spot, track["spots"][spot - 1] if spot else track["off"], seat)
        if spot in touched:
            left, high_up, width, height = box
            yield last_move((left + 4, high_up + 4, width - 8, height - 8))


def _last_spots(last: Sequence[Entry], seat: int) -> set[int]:
    """Return the spots of a seat's track between which the last move moved pyramids; the vault is spot 0."""
    steps = " ".join(entry["move"] for entry in last if entry["phase"] in {"spend", "extra"} and entry["seat"] == seat)
    return {int(spot) for spot in steps.replace("off", "0").replace("-", " ").split()}


def _spot(box: Box, spot: int, count: int, seat: int) -> Iterator[str]:
    left, top, width, high = box
    vault = not spot
    text, size = (meaning("a track", "vault"), 20) if vault else (str(spot), 22)
    yield label(text, left + width / 2, top + high - 12, size, "faint", "middle", 1.7)
    columns, step = 3 if vault else 2, _PYRAMID_WIDTH + 4
    for at in range(count):
        row, column = divmod(at, columns)
        in_row = min(columns, count - row * columns)
        x = left + width / 2 + (column - (in_row - 1) / 2) * step
        y = top + high - 42 - _PYRAMID_WIDTH / 2 - row * step
        yield f'<use href="#montauk-above-{seat}" transform="translate({number(x)} {number(y)})"/>'


def _pyramid_definitions() -> str:
    """Return the definitions of both seats' pyramids as seen from above."""
    square, shade, cross = _PYRAMID_SHAPES
    return "".join(
        definition(
            f"montauk-above-{seat}",
            f'<path {tone(colour)} d="{square}"/><path {tone(f"{colour}-side")} d="{shade}"/>'
            f'<path {tone(f"{colour}-edge")} fill="none" stroke-width="1.6" d="{square}{cross}"/>',
        )
        for seat, colour in enumerate(("red", "blue"), 1)
    )


def _trick(cards: PlayingCards, board: Board, names: Sequence[str], top: float, last: Sequence[Entry]) -> Iterator[str]:
    places = _places(board)
    played = {entry["phase"]: entry["seat"] for entry in last if entry["trick"] == board["trick"]}
    cell, cards_top = 134.0, top + 12
    for place, (card, who, did, due) in enumerate(places):
        middle = _MARGIN + (place + 0.5) * cell
        box = (middle - CARD_WIDTH / 2, cards_top, CARD_WIDTH, CARD_HEIGHT)
        won = bool(who) and who == board["winner"]
        if card:
            yield cards.card(card, box[0], box[1])
        else:
            yield frame(box, "accent" if due else "arrow", 3, 11, "3 9")
        if card and who and played.get("lead" if place == 0 else "follow") == who:
            yield last_move((box[0] - 7, box[1] - 7, box[2] + 14, box[3] + 14))
        name = clean_name(names[who - 1], _MAX_NAME_LENGTH) if who else _("extra")
        ground = cards_top + CARD_HEIGHT
        yield fitted_label(name, middle, ground + 34, 20, cell - 10, "accent" if due else "ink")
        yield fitted_label(did, middle, ground + 62, 18, cell - 14, "accent" if due else "ink" if won else "faint")
    yield from _to_use(board, names, top + CARD_HEIGHT + 98)
    yield from _suit_order(cards, _MARGIN + 3 * cell + 16, top + 6)


def _places(board: Board) -> list[tuple[str, int, str, bool]]:
    """Return the three places of a trick: card, seat, caption, and whether a card is awaited there."""
    leader, winner, phase = board["leader"], board["winner"], board["phase"]
    lead = board["led"] or (BACK if board["lead_lies"] else "")
    hidden = _("face down") if board["lead_lies"] else _("led")
    won = {leader: _("led and won"), 3 - leader: _("followed, won")}
    return [
        (lead, leader, won[leader] if winner == leader else hidden if lead else _("to lead"), phase == "lead"),
        (
            board["followed"] or "",
            3 - leader,
            won[3 - leader]
            if winner == 3 - leader
            else _("followed")
            if board["followed"]
            else _("to follow")
            if lead
            else "",
            phase == "follow",
        ),
        (board["extra"] or "", 0, meaning("extra", "card"), False),
    ]


def _to_use(board: Board, names: Sequence[str], y: float) -> Iterator[str]:
    at = _MARGIN + 12
    if board["to_use"]:
        text = _("{name}, to use:", name=names[board["winner"] - 1])
        size = fitting_size(text, 20, 250)
        yield label(text, at, y + 27, size, "accent", "start", 1.8)
        at += text_width(text, size) + 38
        for value in board["to_use"]:
            yield plate(str(value), at, y + 18, 24)
            yield frame((at - 24, y - 6, 48, 48), "accent", 3, 24)
            at += 56
    else:
        nulls = several("{count} null in the middle", "{count} nulls in the middle", board["nulls_left"])
        pile = several("{count} card in the pile", "{count} cards in the pile", board["pile"])
        text = f"{nulls}, {pile}"
        yield fitted_label(text, at, y + 27, 18, _FELT_WIDTH - 24, "faint", "start")


def _suit_order(cards: PlayingCards, left: float, top: float) -> Iterator[str]:
    """Draw which suit beats which."""
    yield frame((left, top, WIDTH - _MARGIN - left, 200), "line", 2, 14)
    for row, (suit, beaten) in enumerate(BEATS.items()):
        y = top + 30 + row * 47
        yield cards.pip(suit, left + 34, y, 36)
        yield fitted_label(_("beats"), left + 64, y + 8, 19, 80, "faint", "start")
        for place, other in enumerate(beaten):
            yield cards.pip(other, left + 172 + place * 46, y, 36)


def _hand(cards: PlayingCards, board: Board, top: float) -> Iterator[str]:
    held = sorted_by_suit(board["hand"])
    step = CARD_WIDTH + 14
    left = (WIDTH - step * (len(held) - 1)) / 2
    for place, card in enumerate(held):
        middle = left + place * step
        yield touchable(card, cards.card(card, middle - CARD_WIDTH / 2, top))
        yield label(_("worth {worth}", worth=VALUE[card]), middle, top + CARD_HEIGHT + 28, 17, "faint", "middle", 1.7)


def _played(cards: PlayingCards, board: Board, top: float, last: Sequence[Entry]) -> Iterator[str]:
    """Draw the cards shown in this round; the last move's is marked here once its trick has gone from the table."""
    yield label(_("shown in this round"), _MARGIN + 8, top + 12, 17, "faint", "start", 1.7)
    gone = [entry["move"] for entry in last if entry["phase"] == "follow" and entry["trick"] != board["trick"]]
    held = sorted_by_suit(board["played"])
    yield cards.row(held, _MARGIN, top + 26, _FELT_WIDTH, _PLAYED_SCALE, marked=gone)
