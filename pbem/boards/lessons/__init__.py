"""Lessons: a first look at each game in a few small positions, on a page and by mail.

The `lesson` module of a drawing's package is found automatically; it defines LESSON. Installed packages add the lessons
of their games by the entry point group `pbem.lessons`, each under its game's key. A game without one has no lesson.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from typing import TYPE_CHECKING

from pbem import boards
from pbem.boards.lessons.parts import Answer, Attempt, Lesson, Stand, Step

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Answer", "Attempt", "Lesson", "Stand", "Step", "lessons"]


@cache
def lessons() -> Mapping[str, Lesson]:
    """Return the lessons of all games that have one, by the game's key."""
    packages = (one.name for one in pkgutil.iter_modules(boards.__path__, f"{boards.__name__}.") if one.ispkg)
    written = (f"{package}.lesson" for package in packages if find_spec(f"{package}.lesson"))
    ours = [module.LESSON for module in map(importlib.import_module, written)]
    theirs = [entry.load() for entry in entry_points(group="pbem.lessons")]
    return {lesson.game: lesson for lesson in sorted((*ours, *theirs), key=lambda lesson: str(lesson.game))}
