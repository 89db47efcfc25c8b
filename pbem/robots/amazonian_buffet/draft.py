"""Board stage on plain numbers, in which thousands of turns are tried for one: who claims which cards.

A seat wants the cards that suit those it has; what the cards are worth in the end, their three hands show.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from pbem.games.amazonian_buffet.position import IDLE_TURNS, SEATS
from pbem.games.amazonian_buffet.turns import BOARD, CLAIMABLE, NO_CLAIM, PASS
from pbem.games.cards import RANKS
from pbem.games.game import Move
from pbem.games.poker import FULL_HAND
from pbem.games.squares import members, queen_stops
from pbem.robots.amazonian_buffet.pools import CARD_BITS, Pool, pool_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pbem.games.amazonian_buffet.position import Position
    from pbem.games.amazonian_buffet.turns import Pawns
    from pbem.games.squares import SquareSet

NOTHING = -1
"""Square of no claim."""
Slide: TypeAlias = tuple[int, int, int]
"""Source and target of a pawn, and the square claimed."""
Turn: TypeAlias = "Slide | None"
"""None where no pawn can move."""
Wants: TypeAlias = "list[int]"
"""For each square, how well its card suits a seat."""

_SAME_RANK, _SAME_SUIT, _NEAR_RANK = 12, 5, 3
_CLAIMED_SQUARES = tuple(tuple(tuple(members(squares)) for squares in row) for row in CLAIMABLE)


def _suits(held: str, card: str) -> int:
    """Return how well a card suits one that is held."""
    distance = abs(RANKS.index(held[0]) - RANKS.index(card[0]))
    if not distance:
        return _SAME_RANK
    return (_SAME_SUIT if held[1] == card[1] else 0) + (_NEAR_RANK if distance < FULL_HAND else 0)


_SUITING = {held: {card: _suits(held, card) for card in CARD_BITS} for held in CARD_BITS}


class Grid:
    """Cards of a deal, and how well each suits each other."""

    __slots__ = ("bits", "suiting")

    def __init__(self, cards: Sequence[str]) -> None:
        self.bits = tuple(map(CARD_BITS.__getitem__, cards))
        self.suiting = [[_SUITING[held][card] for card in cards] for held in cards]


class Draft:
    """A board stage under way; it changes with each turn, so that a playout starts from a copy."""

    __slots__ = ("grid", "idle", "mover", "occupied", "other", "own", "pools", "wants")

    def __init__(
        self, grid: Grid, own: Pawns, other: Pawns, occupied: SquareSet, idle: int, mover: int,
        pools: Iterable[Pool], wants: Iterable[Wants],
    ) -> None:  # fmt: skip
        self.grid, self.own, self.other, self.occupied, self.idle, self.mover = grid, own, other, occupied, idle, mover
        self.pools, self.wants = [*pools], [*wants]

    def copy(self) -> Draft:
        """Return a draft that goes its own way."""
        return Draft(self.grid, self.own, self.other, self.occupied, self.idle, self.mover, self.pools, self.wants)

    @property
    def is_over(self) -> bool:
        """Whether nothing was claimed for so long that the board stage is over."""
        return self.idle >= IDLE_TURNS

    def play(self, turn: Turn) -> None:
        """Make a legal turn."""
        self.idle += 1
        if turn:
            source, target, claimed = turn
            first, second = self.own
            self.own = (target, second) if source == first else (first, target)
            self.occupied ^= 1 << source | 1 << target
            if claimed >= 0:
                mover, grid = self.mover, self.grid
                self.idle = 0
                self.occupied |= 1 << claimed
                self.pools[mover] |= grid.bits[claimed]
                self.wants[mover] = [a + b for a, b in zip(self.wants[mover], grid.suiting[claimed], strict=True)]
        self.own, self.other, self.mover = self.other, self.own, 1 - self.mover

    def turns(self) -> list[Turn]:
        """Return the turns that claim a card, the card that is wanted most first; any turns if none claims."""
        wants, occupied, slides, claims = self.wants[self.mover], self.occupied, list[Slide](), list[Slide]()
        first, second = self.own
        for source, stays in ((first, second), (second, first)):
            for target in _stops(source, stays, occupied):
                slides.append((source, target, NOTHING))
                squares = _CLAIMED_SQUARES[stays][target]
                claims += [(source, target, at) for at in squares if not occupied >> at & 1 or at == source]
        claims.sort(key=lambda turn: -wants[turn[2]])
        return [*(claims or slides)] or [None]

    def wanted_turn(self) -> Turn:
        """Return the turn that claims the card wanted most; any turn if none claims."""
        wants, occupied, most = self.wants[self.mover], self.occupied, -1
        turn: Turn = None
        first, second = self.own
        for source, stays in ((first, second), (second, first)):
            claimed = _CLAIMED_SQUARES[stays]
            for target in _stops(source, stays, occupied):
                if turn is None:
                    turn = source, target, NOTHING
                for at in claimed[target]:
                    if wants[at] > most and (not occupied >> at & 1 or at == source):
                        turn, most = (source, target, at), wants[at]
        return turn


def begin(position: Position) -> Draft:
    """Return the board stage of a position as a draft."""
    grid = Grid(position.deal.grid)
    field, mover = position.field, position.turns % 2
    pools = [position.pool(seat) for seat in SEATS]
    wants = [
        [RANKS.index(card[0]) + sum(_SUITING[held][card] for held in pool) for card in position.deal.grid]
        for pool in pools
    ]
    return Draft(grid, field.own, field.other, field.occupied, position.idle, mover, map(pool_of, pools), wants)


def turn_text(turn: Turn) -> Move:
    """Format a turn as canonical text."""
    if turn is None:
        return PASS
    source, target, claimed = turn
    names = BOARD.names
    return Move(f"{names[source]}-{names[target]} {NO_CLAIM if claimed == NOTHING else names[claimed]}")


def _stops(source: int, stays: int, occupied: SquareSet) -> Sequence[int]:
    """Return where a pawn may stop: aligned pawns must not end aligned."""
    stops, aligned = queen_stops(BOARD.lines[source], occupied), BOARD.aligned[stays]
    return [stop for stop in stops if not aligned >> stop & 1] if aligned >> source & 1 else stops
