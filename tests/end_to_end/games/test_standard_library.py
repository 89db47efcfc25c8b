"""The rules need the standard library only: every built-in game is played where nothing else can be imported."""

from __future__ import annotations

import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

from tests.support.places import ROOT

if TYPE_CHECKING:
    from pathlib import Path

BUILT_IN = ("amazonian-buffet", "martian-trickery", "martian-whist", "minimax", "montauk")
PLAY = """
import sys
sys.path.insert(0, sys.argv[1])
import pbem.games

for key, game in pbem.games.GAMES.items():
    chance, chosen = pbem.games.Chance(bytes(32)), pbem.games.Chance(bytes(32)).stream("walk")
    position = game.setup(game.seats[0], {}, chance)
    while acting := game.to_move(position):
        pieces = ()
        while pieces[-1:] != (".",) and (more := game.steps(position, acting[0], pieces)):
            pieces += (more[chosen.below(len(more))],)
        move = game.read(position, acting[0], " ".join(piece for piece in pieces if piece != "."))
        position = game.apply(position, acting[0], move, chance)
    print(key, game.outcome(position).scores)
ours = {name for name in sys.modules if name.partition(".")[0] == "pbem"}
assert all(name == "pbem" or name.startswith("pbem.games") for name in ours), ours
"""


def played(folder: Path) -> subprocess.CompletedProcess[str]:
    """Play in a Python that finds this folder and the standard library, and nothing that is installed."""
    command = [sys.executable, "-I", "-S", "-W", "error", "-c", PLAY, str(folder)]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)


def test_every_built_in_game_is_played_with_nothing_installed() -> None:
    done = played(ROOT)
    assert done.returncode == 0, done.stderr
    assert [line.split()[0] for line in done.stdout.splitlines()] == [*BUILT_IN]


def test_an_import_of_anything_else_would_be_noticed(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "pbem" / "games", tmp_path / "pbem" / "games", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pbem" / "__init__.py", tmp_path / "pbem")
    assert played(tmp_path).returncode == 0
    with (tmp_path / "pbem" / "games" / "montauk" / "game.py").open("a") as rules:
        rules.write("\nimport click\n")
    done = played(tmp_path)
    assert done.returncode != 0
    assert "No module named 'click'" in done.stderr
