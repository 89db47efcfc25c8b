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
from typing import TYPE_CHECKING, Any, TypeVar

from pbem.games.chance import Chance, Stream
from pbem.games.errors import GameError, IllegalMove, InvalidMove, NeverMet, OptionError, Phrase
from pbem.games.foresight import Foresight
from pbem.games.game import Game, Json, Move, Outcome, View
from pbem.games.hidden import Eye, Hidden, Seat, Viewer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = [
    "GAMES", "Chance", "Eye", "Foresight", "Game", "GameError", "Hidden", "IllegalMove", "InvalidMove", "Json", "Move",
    "NeverMet", "OptionError", "Outcome", "Phrase", "Seat", "Stream", "View", "Viewer", "find",
    "iter_classes",
]  # fmt: skip

T = TypeVar("T")


def iter_classes(path: Iterable[str], package: str, base: type[T]) -> Iterator[type[T]]:
    """Yield the concrete subclasses of a base that the modules in a package define."""
    for found in pkgutil.iter_modules(path, f"{package}."):
        for value in vars(importlib.import_module(found.name)).values():
            here = isinstance(value, type) and f"{value.__module__}.".startswith(f"{found.name}.")
            if here and issubclass(value, base) and not isabstract(value):
                yield value


GAMES: dict[str, Game[Any]]
"""The newest edition of each game, by its key."""


@cache
def _editions() -> dict[tuple[str, int], Game[Any]]:
    """Return every edition of every game, found on the first call.

    Not at import: an outside module that holds a game and its drawing imports this one before it is complete itself.
    """
    ours = iter_classes(__path__, __name__, Game)  # type: ignore[type-abstract]
    theirs = (entry.load() for entry in entry_points(group="pbem.games"))
    return {(found.key, found.edition): found() for found in (*ours, *theirs)}


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
