"""The rules of each game as players read them, on a page and by mail.

A module in this folder that defines RULES is found by itself; an installed package adds the rules of its games by
the entry point group `pbem.rules`, each named by its game's key. A game without any is told by its drawing's crib.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from importlib.metadata import entry_points

from pbem.boards.rules.parts import Example, Part, Rules, Section, Table, runs
from pbem.boards.rules.saying import CONTEXT, said, texts

__all__ = ["CONTEXT", "Example", "Part", "Rules", "Section", "Table", "rules_of", "runs", "said", "texts"]


@cache
def _found() -> dict[str, Rules]:
    modules = (importlib.import_module(found.name) for found in pkgutil.iter_modules(__path__, f"{__name__}."))
    ours = {module.RULES.game: module.RULES for module in modules if hasattr(module, "RULES")}
    return ours | {entry.name: entry.load() for entry in entry_points(group="pbem.rules")}


def rules_of(key: str) -> Rules:
    """Give the rules of a game; without any sections, where nobody has written them yet."""
    return _found().get(key) or Rules(key, "", ())
