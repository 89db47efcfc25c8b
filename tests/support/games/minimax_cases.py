"""Positions of Minimax from the example file or laid by hand, and what is refused there."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pbem.games.chance import Chance
from pbem.games.errors import IllegalMove
from pbem.games.game import Move
from pbem.games.hidden import Seat
from pbem.games.minimax import Minimax
from pbem.games.minimax.game import Position
from tests.support.places import DATA

VECTORS: dict[str, Any] = json.loads((DATA / "vectors" / "minimax.json").read_text("utf-8"))
GAMES: list[dict[str, Any]] = VECTORS["games"]
GAME = Minimax()
ONE = Seat(1)
NO_CHANCE = Chance(bytes(32))


def started(vector: dict[str, Any]) -> Position:
    return GAME.setup(vector["players"], vector["options"], Chance(bytes.fromhex(vector["seed"])))


def after_moves(moves: int, game: int = 0) -> Position:
    position = started(GAMES[game])
    for seat, move in GAMES[game]["moves"][:moves]:
        position = GAME.apply(position, Seat(seat), Move(move), NO_CHANCE)
    return position


def laid(*cards: str, fresh: str = "", following: str | None = "a") -> Position:
    """Lay out a wheel: the stacks of each card; the fresh trees are on card a."""
    wheel = [tuple(card.split()) for card in cards]
    wheel += [()] * (5 - len(wheel))
    return Position("long", tuple(wheel), (tuple(fresh.split()), (), (), (), ()), following)


def played_on(position: Position, move: str) -> Position:
    return GAME.apply(position, ONE, Move(move), NO_CHANCE)


def refusal(position: Position, text: str) -> str:
    with pytest.raises(IllegalMove) as refused:
        GAME.read(position, ONE, text)
    return str(refused.value)
