"""The rules of each game as players read them, on a page and by mail.

A module in this folder that defines RULES is found by itself. A game without one is told by its drawing's crib.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from pbem.boards.rules.parts import Example, Part, Rules, Section, Table, runs

__all__ = ["Example", "Part", "Rules", "Section", "Table", "rules_of", "runs"]


@cache
def _found() -> dict[str, Rules]:
    modules = (importlib.import_module(found.name) for found in pkgutil.iter_modules(__path__, f"{__name__}."))
    return {module.RULES.game: module.RULES for module in modules if hasattr(module, "RULES")}


def rules_of(key: str) -> Rules:
    """Give the rules of a game; without any sections, where nobody has written them yet."""
    return _found().get(key) or Rules(key, "", ())
