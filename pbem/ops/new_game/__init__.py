"""`pbem new-game NAME`: creates a folder with a small game that already plays, as a starting point."""

from __future__ import annotations

import keyword
import re
import sys
from importlib.util import find_spec
from pathlib import Path
from string import Template

from pbem.games import GAMES

_TEMPLATES = Path(__file__).parent / "templates"
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_MAX_NAME_LENGTH = 30


class NewGameError(ValueError):
    """A new game cannot be created under a name; the message says why."""


def create(name: str, where: Path) -> list[Path]:
    """Write the package of a new game into a folder of its name; returns its files."""
    module = _module_name(name)
    folder = where / name
    words = {
        "key": name,
        "module": module,
        "title": name.replace("-", " ").title(),
        "type": "".join(part.capitalize() for part in name.split("-")),
    }
    files = {
        "pyproject.toml": "pyproject.toml.txt",
        f"{module}.py": "game.py.txt",
        f"{module}_robot.py": "robot.py.txt",
        f"test_{module}.py": "test_game.py.txt",
        "README.md": "README.md.txt",
    }
    try:
        folder.mkdir()
        for file, template in files.items():
            text = Template((_TEMPLATES / template).read_text(encoding="utf-8")).substitute(words)
            (folder / file).write_text(text, encoding="utf-8")
    except FileExistsError:
        raise NewGameError(f"“{name}” exists here already; nothing was changed.") from None
    except OSError as refused:
        raise NewGameError(f"The folder “{name}” cannot be written: {refused.strerror}.") from None
    return [folder / file for file in files]


def _module_name(name: str) -> str:
    """Return the name of the game's Python module; raises NewGameError if the name is invalid or taken."""
    if not _NAME.fullmatch(name) or len(name) > _MAX_NAME_LENGTH:
        raise NewGameError(
            f"A game's name has at most {_MAX_NAME_LENGTH} lower-case letters, digits and hyphens, like last-stone."
        )
    if name in GAMES:
        raise NewGameError(f"There is already a game “{name}”: {GAMES[name].name}.")
    module = name.replace("-", "_")
    if keyword.iskeyword(module) or module in sys.stdlib_module_names or find_spec(module):
        raise NewGameError(f"Python already has a module “{module}”: choose another name.")
    return module
