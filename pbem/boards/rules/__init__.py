"""Rules of each game as players read them, on a page and by mail.

The `rules` module of a drawing's package is found automatically; it defines RULES. Installed packages add the rules
of their games by the entry point group `pbem.rules`, each under its game's key. A game without rules is explained by
its drawing's crib.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path

from pbem import boards
from pbem.boards.rules.parts import CONTEXT, Example, Part, Rules, Section, Table, split_runs, texts, translated

__all__ = [
    "CONTEXT", "TEMPLATES", "Example", "Part", "Rules", "Section", "Table", "rules_for", "split_runs", "texts",
    "translated",
]  # fmt: skip

TEMPLATES = Path(__file__).parent / "templates"
"""Folder of the template that the page of the rules and the replay page share."""


@cache
def _rules_by_game() -> dict[str, Rules]:
    packages = (one.name for one in pkgutil.iter_modules(boards.__path__, f"{boards.__name__}.") if one.ispkg)
    written = (f"{package}.rules" for package in packages if find_spec(f"{package}.rules"))
    ours = {module.RULES.game: module.RULES for module in map(importlib.import_module, written)}
    return ours | {entry.name: entry.load() for entry in entry_points(group="pbem.rules")}


def rules_for(key: str) -> Rules:
    """Return the rules of a game; without any sections if none have been written."""
    return _rules_by_game().get(key) or Rules(key, "", ())
