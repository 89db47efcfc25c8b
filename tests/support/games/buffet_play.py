"""Positions of Amazonian Buffet in which a seat holds cards that a test names, reached by turns of the game."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from pbem.games import Chance, Move, Seat
from pbem.games.amazonian_buffet import AmazonianBuffet
from pbem.games.amazonian_buffet.turns import BOARD
from pbem.games.cards import DECK

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.games.amazonian_buffet.position import Position

T = TypeVar("T")

GAME = AmazonianBuffet()
ONE, TWO = Seat(1), Seat(2)


class Stacked(Chance):
    """Deals a deck in an order that was chosen before."""

    def __init__(self, deck: Sequence[object]) -> None:
        super().__init__(bytes(32))
        self.deck = deck

    def shuffle(self, label: str, items: Sequence[T]) -> tuple[T, ...]:  # noqa: ARG002
        return tuple(sorted(items, key=self.deck.index))


def holding(pool: Sequence[str]) -> Position:
    """Play the board stage to its end so that seat 1 has just these cards: two dealt, the others claimed."""
    turns = claiming(len(pool) - 2)
    squares = [BOARD.numbers[turn[-2:]] for turn in turns if not turn.endswith("none")]
    rest = [card for card in DECK if card not in pool]
    claimed = dict(zip(squares, pool[2:], strict=True))
    grid = [claimed[square] if square in claimed else rest.pop() for square in range(len(BOARD.names))]
    chance = Stacked([*grid, *pool[:2], *rest])
    position = GAME.setup(2, {}, chance)
    for turn in turns:
        position = GAME.apply(position, GAME.to_move(position)[0], turn, chance)
    return position


def claiming(count: int) -> list[Move]:
    """Find turns of a whole board stage in which seat 1 claims so many cards, and seat 2 none."""
    turns: list[Move] = []
    position = GAME.setup(2, {}, Chance(bytes(32)))
    while len(acting := GAME.to_move(position)) == 1:
        claims = acting[0] == ONE and position.stones[0].bit_count() < count
        turn = next(move for move in GAME.moves(position, acting[0]) if move.endswith("none") != claims)
        position = GAME.apply(position, acting[0], turn, Chance(bytes(32)))
        turns.append(turn)
    return turns
