"""Positions of Amazonian Buffet, and the effect of each move.

Sections named in this module are those of the game's rulebook.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from pbem.games.amazonian_buffet import layouts, turns
from pbem.games.amazonian_buffet.layouts import KEEP, Hand, Layout
from pbem.games.amazonian_buffet.turns import BOARD, Field, Pawns
from pbem.games.hidden import Hidden, Seat
from pbem.games.poker import contest
from pbem.games.slots import slot_setters
from pbem.games.squares import members

if TYPE_CHECKING:
    from pbem.games.chance import Stream
    from pbem.games.game import Move
    from pbem.games.squares import SquareSet

SEATS = (Seat(1), Seat(2))
_SEATS_AFTER = {SEATS[0]: SEATS[1:], SEATS[1]: SEATS[:1]}
"""Seats that act after a turn of each seat."""
IDLE_TURNS = 4
"""Number of turns in a row without a claim that ends the board stage."""
SEALED_STAGES = ("layout", "adjust")
"""Stages in which both seats seal a move, in order."""

_START = turns.make_field((BOARD.numbers["a1"], BOARD.numbers["f1"]), (BOARD.numbers["a8"], BOARD.numbers["f8"]), 0)

Sealed: TypeAlias = "Hidden[Move] | None"
Shown: TypeAlias = tuple[Layout, Layout]
"""Both seats' layouts, in seat order."""


@dataclass(frozen=True, slots=True)
class Deal:
    """What setup fixes once and for all (Setup)."""

    grid: tuple[str, ...]
    """The card on each square."""
    dealt: tuple[Hand, Hand]
    compare: str


@dataclass(frozen=True, slots=True, init=False)
class Position:
    """Complete state between two moves; stones and sealed moves are in seat order."""

    deal: Deal
    to_move: tuple[Seat, ...]
    field: Field
    """The board for the seat whose turn it is, or would be."""
    stones: tuple[SquareSet, SquareSet]
    idle: int
    """Number of turns, up to the last, that claimed nothing."""
    sealed: tuple[Sealed, Sealed]
    shown: tuple[Shown, ...]
    """Layouts of each completed sealed stage."""
    past: tuple[Move, ...]
    """All public moves: the turns, then the layouts in seat order, stage by stage."""

    def __init__(
        self,
        deal: Deal,
        to_move: tuple[Seat, ...] = SEATS[:1],
        field: Field = _START,
        stones: tuple[SquareSet, SquareSet] = (0, 0),
        idle: int = 0,
        sealed: tuple[Sealed, Sealed] = (None, None),
        shown: tuple[Shown, ...] = (),
        past: tuple[Move, ...] = (),
    ) -> None:
        set_deal, set_to_move, set_field, set_stones, set_idle, set_sealed, set_shown, set_past = _POSITION_SLOTS
        set_deal(self, deal)
        set_to_move(self, to_move)
        set_field(self, field)
        set_stones(self, stones)
        set_idle(self, idle)
        set_sealed(self, sealed)
        set_shown(self, shown)
        set_past(self, past)

    @property
    def turns(self) -> int:
        """Count the turns taken in the board stage."""
        return len(self.past) - len(SEATS) * len(self.shown)

    @property
    def phase(self) -> str:
        """Return the current stage: `board`, `layout`, `adjust` or `over`."""
        return "board" if self.idle < IDLE_TURNS else (*SEALED_STAGES, "over")[len(self.shown)]

    @property
    def pawns(self) -> tuple[Pawns, Pawns]:
        """Return the squares of the pawns, in seat order."""
        own, other = self.field.own, self.field.other
        return (other, own) if self.turns % 2 else (own, other)

    def pool(self, seat: Seat) -> Hand:
        """Return a seat's claimed and dealt cards, arranged (Building the hands)."""
        claimed = [self.deal.grid[square] for square in members(self.stones[seat - 1])]
        return layouts.arranged([*claimed, *self.deal.dealt[seat - 1]])

    def contests(self) -> list[int]:
        """Compare the layouts shown last: for each pair of hands above 0 if seat 1 wins, below 0 if seat 2 does."""
        return [
            contest(first, second, self.deal.compare)
            for both in self.shown[-1:]
            for first, second in zip(*both, strict=True)
        ]

    def won(self) -> tuple[int, int]:
        """Count the hands that each seat wins with the layouts shown last (End and result)."""
        contests = self.contests()
        return sum(result > 0 for result in contests), sum(result < 0 for result in contests)


_POSITION_SLOTS = slot_setters(Position)


def after_turn(position: Position, seat: Seat, move: Move) -> Position:
    """Move the pawn and place the stone of a legal turn (Legality of a board turn)."""
    field, stones, idle = position.field, position.stones, position.idle + 1
    own, occupied = field.own, field.occupied
    turn = turns.parse_canonical(move)
    if turn is not None:
        (slide, stone), (first, second) = turn, own
        own = (slide.target, second) if slide.source == first else (first, slide.target)
        occupied = occupied ^ slide.ends | stone
        if stone:
            idle, (one, two) = 0, stones
            stones = (one | stone, two) if seat == SEATS[0] else (one, two | stone)
    to_move = _SEATS_AFTER[seat] if idle < IDLE_TURNS else SEATS
    field, past = Field(field.other, own, occupied), (*position.past, move)
    return Position(position.deal, to_move, field, stones, idle, (None, None), (), past)


def after_sealing(position: Position, seat: Seat, move: Move) -> Position:
    """Seal a legal layout or `keep`; the second of a stage opens both (Turn order and who must act)."""
    position = _with_secret(position, seat, move)
    first, second = position.sealed
    if first is None or second is None:
        return position
    past = (*position.past, first.value, second.value)
    both = (_revealed_layout(position, SEATS[0], first.value), _revealed_layout(position, SEATS[1], second.value))
    to_move = SEATS if position.phase == "layout" else ()
    return replace(position, to_move=to_move, sealed=(None, None), shown=(*position.shown, both), past=past)


def exchange_sealed(position: Position, seat: Seat, present: Move, stream: Stream) -> Position:
    """Replace the move that a seat has sealed by another legal one, drawn from a stream."""
    drawn = present
    while drawn == present:
        keeps = position.phase == "adjust" and stream.below(2) == 0
        drawn = KEEP if keeps else _random_layout(position.pool(seat), stream)
    return _with_secret(position, seat, drawn)


def _with_secret(position: Position, seat: Seat, move: Move) -> Position:
    secret = Hidden(move, frozenset({seat}))
    first, second = position.sealed
    first, second = sealed = (secret, second) if seat == SEATS[0] else (first, secret)
    to_move = tuple(seat for seat, secret in zip(SEATS, sealed, strict=True) if secret is None)
    return replace(position, to_move=to_move, sealed=sealed)


def _revealed_layout(position: Position, seat: Seat, move: Move) -> Layout:
    return position.shown[-1][seat - 1] if move == KEEP else layouts.split_hands(move)


def _random_layout(pool: Hand, stream: Stream) -> Move:
    rest = list(pool)
    splits = list(layouts.hand_sizes(layouts.required_cards(pool)))
    split = splits[stream.below(len(splits))]
    return layouts.format_layout(
        tuple(layouts.arranged([rest.pop(stream.below(len(rest))) for _ in range(size)]) for size in split)
    )
