"""Pictures and text of boards, one drawing per game.

A module or package in this folder that defines a Drawing with a key is found automatically. Installed packages add
drawings by the entry point group `pbem.boards`, each under its game's key. A game without a drawing gets the plain
one.
"""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points

from pbem.boards.drawing import NO_TURN, Board, Drawing, Entry, Guide, Names, Prompt, Turn
from pbem.boards.palette import DARK_CSS, with_distinct_colours
from pbem.boards.plain import Plain
from pbem.games import iter_classes

__all__ = [
    "DARK_CSS",
    "NO_TURN",
    "Board",
    "Drawing",
    "Entry",
    "Guide",
    "Names",
    "Prompt",
    "Turn",
    "drawing_for",
    "drawings",
    "with_distinct_colours",
]


@cache
def drawings() -> dict[str, Drawing]:
    """Return the drawing of each game that has one, by the game's key; the plain one is under "".

    Loaded on the first call, since an outside module may hold both a game and its drawing.
    """
    found = iter_classes(__path__, __name__, Drawing)  # type: ignore[type-abstract]
    ours = {drawing.key: drawing() for drawing in found}
    return ours | {entry.name: entry.load()() for entry in entry_points(group="pbem.boards")}


def drawing_for(key: str) -> Drawing:
    """Return the drawing of a game, or the plain one, which can show any board."""
    return drawings().get(key) or drawings()[Plain.key]
