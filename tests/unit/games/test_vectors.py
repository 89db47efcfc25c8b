"""The rulebooks' example files: what all of them have in common, for every game that has one."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from itertools import islice, product
from typing import TYPE_CHECKING, Any

import pytest

from pbem.games import GAMES, Chance, Game, IllegalMove, InvalidMove, OptionError, Outcome
from pbem.games.cards import DECK
from tests.support.games.buffet_play import holding
from tests.support.games.random_play import Match, walk
from tests.support.places import DATA

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FILES = sorted((DATA / "vectors").glob("*.json"))
COUNTED = 5000
"""A rulebook's count of legal moves is null above this."""
WALKS = 100
"""How many random matches are searched for a position where a typed move is legal."""


@dataclass(frozen=True)
class Example:
    """One complete game of an example file, with all of its positions."""

    game: Game[Any]
    chance: Chance
    told: dict[str, Any]
    positions: tuple[Any, ...]


@cache
def example(path: Path, number: int) -> Example:
    told = json.loads(path.read_text(encoding="utf-8"))["games"][number]
    game, chance = GAMES[told["game"]], Chance(bytes.fromhex(told["seed"]))
    positions = [game.setup(told["players"], told["options"], chance)]
    for seat, move in told["moves"]:
        positions.append(game.apply(positions[-1], seat, move, chance))
    return Example(game, chance, told, tuple(positions))


def cases(name: str) -> list[Any]:
    found = []
    for path in FILES:
        for number, case in enumerate(json.loads(path.read_text(encoding="utf-8"))[name]):
            found.append(pytest.param(path, number, case, id=f"{path.stem}-{number}"))
    return found


def understood(path: Path, case: dict[str, Any]) -> str:
    """Read what was typed where the case says, or in the first position where its move is legal."""
    if "in_game" in case:
        played = example(path, case["in_game"])
        position = played.positions[case["after_moves"]]
        return played.game.read(position, played.game.to_move(position)[0], case["typed"])
    game, move = example(path, 0).game, case["move"]
    fitting = (
        game.read(position, seat, case["typed"])
        for position in positions(path, move)
        for seat in game.to_move(position)
        if game.allows(position, seat, move)
    )
    return next(fitting)


def positions(path: Path, move: str) -> Iterator[Any]:
    """Go through the positions of the file's games, and of random matches where those are not enough.

    A layout of Amazonian Buffet needs one pool of countless many: its position is built.
    """
    if move.startswith("hands "):
        yield holding([piece for piece in move.split() if piece in DECK])
    games = json.loads(path.read_text(encoding="utf-8"))["games"]
    for number in range(len(games)):
        yield from example(path, number).positions
    game = example(path, 0).game
    for number, told in product(range(WALKS), games):
        match = Match(game, told["players"], told["options"], number.to_bytes(32, "big"))
        yield from (turn.before for turn in walk(match))


@pytest.mark.parametrize(("path", "number", "told"), cases("games"))
def test_games(path: Path, number: int, told: dict[str, Any]) -> None:
    played = example(path, number)
    game = played.game
    for (seat, move), count, position in zip(told["moves"], told["legal_counts"], played.positions, strict=False):
        assert seat in game.to_move(position)
        assert game.read(position, seat, move) == move
        listed = len(list(islice(game.moves(position, seat), COUNTED + 1)))
        assert (listed if listed <= COUNTED else None) == count
    scores = tuple(told["result"]["scores"][str(seat)] for seat in range(1, told["players"] + 1))
    assert game.outcome(played.positions[-1]) == Outcome(scores, tuple(told["result"]["winners"]))
    assert game.to_move(played.positions[-1]) == ()


@pytest.mark.parametrize(("path", "number", "case"), cases("illegal"))
def test_illegal(path: Path, number: int, case: dict[str, Any]) -> None:  # noqa: ARG001
    played = example(path, case["in_game"])
    position = played.positions[case["after_moves"]]
    seat, move = case["seat"], case["move"]
    assert not played.game.allows(position, seat, move), case["why"]
    with pytest.raises((IllegalMove, InvalidMove)):
        played.game.read(position, seat, move)
    with pytest.raises(IllegalMove):
        played.game.apply(position, seat, move, played.chance)


@pytest.mark.parametrize(("path", "number", "case"), cases("typed"))
def test_typed(path: Path, number: int, case: list[str] | dict[str, Any]) -> None:  # noqa: ARG001
    told = case if isinstance(case, dict) else {"typed": case[0], "move": case[1]}
    assert understood(path, told) == told["move"]


@pytest.mark.parametrize(("path", "number", "case"), cases("refused_options"))
def test_refused_options(path: Path, number: int, case: dict[str, Any]) -> None:  # noqa: ARG001
    game = example(path, 0).game
    for refuses in (game.settle, lambda seats, options: game.setup(seats, options, Chance(bytes(32)))):
        with pytest.raises(OptionError):
            refuses(case["players"], case["options"])
