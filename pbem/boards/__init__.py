"""Pictures and text of boards, one drawing per game.

A module or package in this folder that defines a Drawing with a key is found automatically. Installed packages add
drawings by the entry point group `pbem.boards`, each under its game's key. A game without a drawing gets the plain
one.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from importlib.metadata import entry_points
from inspect import isabstract
from typing import TYPE_CHECKING

from pbem.boards.drawing import Board, Drawing, Entry, Guide, Names
from pbem.boards.palette import DARK_CSS, with_distinct_colours
from pbem.boards.plain import Plain

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "DARK_CSS",
    "Board",
    "Drawing",
    "Entry",
    "Guide",
    "Names",
    "drawing_for",
    "drawings",
    "with_distinct_colours",
]


def _iter_drawings() -> Iterator[tuple[str, type[Drawing]]]:
    for module in pkgutil.iter_modules(__path__, f"{__name__}."):
        for value in vars(importlib.import_module(module.name)).values():
            here = isinstance(value, type) and f"{value.__module__}.".startswith(f"{module.name}.")
            if here and issubclass(value, Drawing) and not isabstract(value):
                yield value.key, value
    for entry in entry_points(group="pbem.boards"):
        yield entry.name, entry.load()


@cache
def drawings() -> dict[str, Drawing]:
    """Return the drawing of each game that has one, by the game's key; the plain one is under "".

    Loaded on the first call, since an outside module may hold both a game and its drawing.
    """
    return {key: drawing() for key, drawing in _iter_drawings()}


def drawing_for(key: str) -> Drawing:
    """Return the drawing of a game, or the plain one, which can show any board."""
    return drawings().get(key) or drawings()[Plain.key]
