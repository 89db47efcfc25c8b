"""What tests of laws share."""

from collections.abc import Iterator
from random import Random
from typing import Any

from pbem.games import GAMES, Chance, Game

PLAYED: list[tuple[str, dict[str, object]]] = [
    ("minimax", {"size": "small"}),
    ("minimax", {"size": "long"}),
    ("martian-whist", {"sets": 2}),
    ("martian-trickery", {"hands": 1}),
    ("martian-trickery", {"hands": 1, "prizes": "two-stash"}),
    ("montauk", {"rounds": 2}),
    ("amazonian-buffet", {}),
    ("amazonian-buffet", {"compare": "poker"}),
]


def played(key: str, options: dict[str, object], turns: int = 1000) -> Iterator[tuple[Game[Any], Any]]:
    """Play a game at random; where the moves are countless, among the first."""
    game, chance, random = GAMES[key], Chance(bytes(range(32))), Random(f"{key}{options}")
    position = game.setup(game.seats[0], options, chance)
    yield game, position
    for _ in range(turns):
        if not (to_move := game.to_move(position)):
            return
        chosen: tuple[str, ...] = ()
        while steps := game.steps(position, to_move[0], chosen):
            chosen = (*chosen, random.choice(steps))
        move = game.read(position, to_move[0], " ".join(piece for piece in chosen if piece != "."))
        position = game.apply(position, to_move[0], move, chance)
        yield game, position
