"""Positions of Amazonian Buffet after some turns, and what is refused there."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from pbem.games.amazonian_buffet import AmazonianBuffet, turns
from pbem.games.amazonian_buffet.turns import BOARD
from pbem.games.chance import Chance
from pbem.games.errors import IllegalMove, InvalidMove
from pbem.games.game import Move
from pbem.games.hidden import Seat, Viewer
from pbem.games.squares import square_set
from tests.support.places import DATA

if TYPE_CHECKING:
    from pbem.games.amazonian_buffet.position import Position
GAME = AmazonianBuffet()


VECTORS: dict[str, Any] = json.loads((DATA / "vectors" / "amazonian-buffet.json").read_text(encoding="utf-8"))
CHANCE = Chance(bytes(range(32)))
ONE, TWO = map(Seat, (1, 2))
WORKED_EXAMPLE = ("a1-c3 f3", "a8-c6 c8", "c3-c1 d1", "f8-f6 d6", "c1-c4 f4", "c6-a4 a6")


IDLE = ("a1-b2 none", "a8-b7 none", "b2-a1 none", "b7-a8 none")
"""Four turns without a claim, from the beginning."""


def dealt(**options: object) -> Position:
    return GAME.setup(2, options, CHANCE)


def played(*moves: str, position: Position | None = None) -> Position:
    """Play moves, each by the first seat that is to move."""
    position = position or dealt()
    for move in moves:
        position = GAME.apply(position, GAME.to_move(position)[0], Move(move), CHANCE)
    return position


def after_board(*pairs: str, compare: str = "cards") -> Position:
    """Return a position of the layout stage in which the seats have claimed these squares."""
    stones = [square_set(BOARD.numbers[name] for name in pair.split()) for pair in (*pairs, "", "")[:2]]
    return with_stones(stones[0], stones[1], played(*IDLE, position=dealt(compare=compare)))


def with_stones(first: int, second: int, position: Position) -> Position:
    own, other = position.field.own, position.field.other
    return replace(position, stones=(first, second), field=turns.make_field(own, other, first | second))


def of_example(number: int, moves: int) -> Position:
    told = VECTORS["games"][number]
    chance = Chance(bytes.fromhex(told["seed"]))
    position = GAME.setup(2, told["options"], chance)
    for seat, move in told["moves"][:moves]:
        position = GAME.apply(position, seat, move, chance)
    return position


def refusal(position: Position, seat: Seat, text: str) -> str:
    with pytest.raises(IllegalMove) as caught:
        GAME.read(position, seat, text)
    return str(caught.value)


def misread(position: Position, seat: Seat, text: str) -> str:
    with pytest.raises(InvalidMove) as caught:
        GAME.read(position, seat, text)
    return str(caught.value)


FEW = after_board("f3", "c8")
"""Seat 1 has KD 9S 2S, seat 2 has AH 5C 3S."""
OWN, OTHER = Move("hands KD | 9S | 2S"), Move("hands AH | 5C | 3S")


def sealed(position: Position, seat: Seat, move: str) -> Position:
    return GAME.apply(position, seat, Move(move), CHANCE)


def told(position: Position, viewer: Viewer) -> list[tuple[Any, Any]]:
    return [(entry["seat"], entry["move"]) for entry in GAME.log(position, viewer) if isinstance(entry, dict)]
