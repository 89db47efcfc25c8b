"""Montauk's complete games of the example file, to be walked and stopped anywhere."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pbem.games import Chance, Eye, Move, Seat, Viewer
from pbem.games.montauk import Montauk
from pbem.games.montauk.round import Race
from tests.support.places import DATA

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.games.montauk.round import Position
    from pbem.games.montauk.track import Track, Values

VECTORS: dict[str, Any] = json.loads((DATA / "vectors" / "montauk.json").read_text("utf-8"))
GAME = Montauk()
ONE, TWO = Seat(1), Seat(2)
VIEWERS: tuple[Viewer, ...] = (ONE, TWO, Eye.PUBLIC, Eye.OPEN)
EXAMPLE = bytes(range(32))


def positions(number: int) -> Iterator[tuple[Position, Seat, Move, Position, Chance]]:
    """Walk a complete game of the vectors: before, who, what, after."""
    game = VECTORS["games"][number]
    chance = Chance(bytes.fromhex(game["seed"]))
    position = GAME.setup(game["players"], game["options"], chance)
    for at, text in game["moves"]:
        seat = Seat(at)
        move = GAME.read(position, seat, text)
        after = GAME.apply(position, seat, move, chance)
        yield position, seat, move, after, chance
        position = after


def after_moves(count: int, number: int = 0) -> Position:
    """Stop a game of the vectors after some moves."""
    walk = list(positions(number))
    return walk[count][0] if count < len(walk) else walk[-1][3]


def played(moves: str, rounds: int = 1) -> Position:
    """Play moves, `;` between them, from the seed of the worked example."""
    chance = Chance(EXAMPLE)
    position = GAME.setup(2, {"rounds": rounds}, chance)
    for move in moves.split("; "):
        position = GAME.apply(position, GAME.to_move(position)[0], Move(move), chance)
    return position


def spending(track: Track, values: Values) -> Position:
    """Spend values of seat 2 on a track of its own."""
    position = after_moves(2)
    race, trick = position.race, replace(position.trick, to_use=values)
    return replace(position, race=Race(race.trick, (race.tracks[0], track)), trick=trick)
