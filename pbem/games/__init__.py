"""Rules of the games, and the names of the engine contract.

Needs the standard library only. A module or package in this folder that defines a Game is found automatically.
Installed packages add games by the entry point group `pbem.games`, each entry naming a Game class.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from importlib.metadata import entry_points
from inspect import isabstract
from typing import TYPE_CHECKING, Any

from pbem.games.chance import Chance, Stream
from pbem.games.errors import GameError, IllegalMove, InvalidMove, NeverMet, OptionError, Phrase
from pbem.games.foresight import Foresight
from pbem.games.game import Game, Json, Move, Outcome, View
from pbem.games.hidden import Eye, Hidden, Seat, Viewer

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "GAMES", "Chance", "Eye", "Foresight", "Game", "GameError", "Hidden", "IllegalMove", "InvalidMove", "Json", "Move",
    "NeverMet", "OptionError", "Outcome", "Phrase", "Seat", "Stream", "View", "Viewer", "find",
]  # fmt: skip


def _iter_game_classes() -> Iterator[type[Game[Any]]]:
    for found in pkgutil.iter_modules(__path__, f"{__name__}."):
        module = importlib.import_module(found.name)
        for value in vars(module).values():
            here = isinstance(value, type) and f"{value.__module__}.".startswith(f"{module.__name__}.")
            if here and issubclass(value, Game) and not isabstract(value):
                yield value
    for entry in entry_points(group="pbem.games"):
        yield entry.load()


GAMES: dict[str, Game[Any]]
"""The newest edition of each game, by its key."""


@cache
def _editions() -> dict[tuple[str, int], Game[Any]]:
    """Return every edition of every game, found on the first call.

    Not at import: an outside module that holds a game and its drawing imports this one before it is complete itself.
    """
    return {(found.key, found.edition): found() for found in _iter_game_classes()}


def __getattr__(name: str) -> dict[str, Game[Any]]:
    if name != "GAMES":
        raise AttributeError(f"module {__name__} has no attribute {name}")
    found = _editions()
    newest = {key: found[key, edition] for key, edition in sorted(found)}
    globals()[name] = newest
    return newest


def find(key: str, edition: int) -> Game[Any]:
    """Return the edition that a match was started with; KeyError if this installation does not have it."""
    found = _editions()
    if (key, edition) not in found:
        here = ", ".join(f"{known} {number}" for known, number in sorted(found))
        raise KeyError(f"There is no edition {edition} of “{key}” here; there are: {here}.")
    return found[key, edition]
