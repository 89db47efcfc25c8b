"""What the View of a seat says, and what the other seat may have sealed."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, replace
from itertools import accumulate, chain
from math import comb, factorial, prod
from typing import TYPE_CHECKING

from pbem.games.amazonian_buffet.layouts import KEEP, Hand, arranged, format_layout, hand_sizes, required_cards
from pbem.games.amazonian_buffet.position import SEATS, Deal, Position
from pbem.games.amazonian_buffet.turns import BOARD, make_field
from pbem.games.hidden import Hidden, Seat
from pbem.games.squares import square_set

if TYPE_CHECKING:
    from pbem.games import Stream, View
    from pbem.games.amazonian_buffet.layouts import Layout
    from pbem.games.amazonian_buffet.turns import Pawns
    from pbem.games.game import Move

_WORD = 1 << 32
"""Number of values that a stream can draw at once."""


@dataclass(frozen=True, slots=True)
class Known:
    """What a seat to move knows: everything but what the other one may have sealed."""

    seat: Seat
    position: Position
    """The position as if nothing was sealed in this stage."""
    has_other_sealed: bool

    @property
    def other(self) -> Seat:
        """Return the other seat."""
        return SEATS[2 - self.seat]


def gather(view: View) -> Known:
    """Return what the View of a seat to move says."""
    seat, board, names = view.viewer, view.board, BOARD.numbers
    if not isinstance(seat, int):
        raise TypeError("only a seat has a move to choose")
    one, two = board["dealt"]
    deal = Deal(tuple(chain(*board["grid"])), (tuple(one), tuple(two)), board["compare"])
    taken = {by: [names[square] for square, owner in board["stones"].items() if owner == by] for by in SEATS}
    stones = square_set(taken[SEATS[0]]), square_set(taken[SEATS[1]])
    first, second = (_pawns(pawns) for pawns in board["pawns"])
    turns = sum(entry["stage"] == "board" for entry in view.log)
    own, other = (second, first) if turns % 2 else (first, second)
    field = make_field(own, other, stones[0] | stones[1])
    shown = ((_layout(board["layouts"][0]), _layout(board["layouts"][1])),) if board["layouts"][0] else ()
    past = tuple(entry["move"] for entry in view.log[: turns + len(SEATS) * len(shown)])
    to_move = view.to_move if board["stage"] == "board" else SEATS
    position = Position(deal, to_move, field, stones, board["idle"], (None, None), shown, past)
    return Known(Seat(seat), position, any(board["sealed"]))


def imagine(known: Known, stream: Stream) -> Position:
    """Return the position with what the other seat sealed, if it did, drawn evenly from its legal moves."""
    if not known.has_other_sealed:
        return known.position
    position, other = known.position, known.other
    pool = position.pool(other)
    keeps = position.phase == "adjust" and not draw_below(stream, count_layouts(len(pool)) + 1)
    secret = Hidden(KEEP if keeps else draw_layout(pool, stream), frozenset({other}))
    sealed = (secret, None) if other == SEATS[0] else (None, secret)
    return replace(position, to_move=(known.seat,), sealed=sealed)


def count_layouts(cards: int) -> int:
    """Return the number of layouts of a pool of some cards."""
    used = required_cards(range(cards))
    return comb(cards, used) * sum(_divisions(sizes) for sizes in hand_sizes(used))


def draw_layout(pool: Hand, stream: Stream) -> Move:
    """Draw a layout of a pool, all being equally likely."""
    used = required_cards(pool)
    splits = list(hand_sizes(used))
    bounds = list(accumulate(map(_divisions, splits)))
    sizes = splits[bisect_right(bounds, stream.below(bounds[-1]))]
    cards, first, second = stream.shuffled(pool), sizes[0], sizes[0] + sizes[1]
    return format_layout(tuple(map(arranged, (cards[:first], cards[first:second], cards[second:used]))))


def draw_below(stream: Stream, n: int) -> int:
    """Draw a number from 0 to n - 1, however large n is."""
    if n <= _WORD:
        return stream.below(n)
    while (number := stream.below(_WORD) + _WORD * draw_below(stream, -(-n // _WORD))) >= n:
        pass
    return number


def _divisions(sizes: tuple[int, ...]) -> int:
    """Return in how many ways cards can be divided into hands of these sizes."""
    return factorial(sum(sizes)) // prod(map(factorial, sizes))


def _pawns(names: list[str]) -> Pawns:
    first, second = names
    return BOARD.numbers[first], BOARD.numbers[second]


def _layout(hands: list[list[str]]) -> Layout:
    return tuple(map(tuple, hands))
