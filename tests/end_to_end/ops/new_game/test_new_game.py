"""A new game by one command: written, found, and played by mail on the real service."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
import urllib.request
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.live_service import environment, service
from tests.support.ops.new_game.new_game import begun
from tests.support.places import ROOT
from tests.support.service.by_mail import play_to_the_end

if TYPE_CHECKING:
    from pathlib import Path

ALONE = """
from random import Random
from pbem.boards import drawing_for
from pbem.games import Chance, find

game, chance, chosen = find("last-stone", 1), Chance(bytes(32)), Random(1)
position = game.setup(2, {}, chance)
while acting := game.to_move(position):
    move = chosen.choice(list(game.moves(position, acting[0])))
    position = game.apply(position, acting[0], move, chance)
print(drawing_for("last-stone").tell(game.log(position, 1)[-1], ("Ann", "Bob")))
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new game's folder that is found as an installed package is: by its entry points beside it."""
    parent = tmp_path_factory.mktemp("new")
    with pytest.MonkeyPatch.context() as here:
        status, said = begun(parent, "last-stone", here)
    assert status == 0, said
    folder = parent / "last-stone"
    project: dict[str, Any] = tomllib.loads((folder / "pyproject.toml").read_text())["project"]
    info = folder / f"last_stone-{project['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    with (info / "entry_points.txt").open("w") as points:
        for group, named in project["entry-points"].items():
            points.write(f"[{group}]\n" + "".join(f"{name} = {what}\n" for name, what in named.items()))
    return folder


def found_from(folder: Path) -> dict[str, str]:
    return environment(PYTHONPATH=os.pathsep.join([str(ROOT), str(folder)]))


def ran(folder: Path, *arguments: str) -> str:
    """Run Python where the new game is installed; gives what it printed."""
    command = [sys.executable, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder, env=found_from(folder))
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_it_is_found_and_plays(installed: Path) -> None:
    assert ran(installed, "-c", ALONE).strip().endswith("the last of the heap, and won.")


def test_its_own_tests_pass(installed: Path) -> None:
    assert "272 passed" in ran(installed, "-m", "pytest", "-q", "-p", "no:cacheprovider")


def test_its_robot_is_found(installed: Path) -> None:
    levels = 'from pbem import robots; print(*robots.levels("last-stone"))'
    assert ran(installed, "-c", levels).split() == ["easy", "fair", "strong"]


def test_it_is_played_by_mail_and_its_record_holds(installed: Path, tmp_path: Path) -> None:
    names = ("Ann", "Bob")
    with service(tmp_path / "data", PYTHONPATH=found_from(installed)["PYTHONPATH"]) as running:
        match = running.start_match("last-stone", {"most": 5}, *names)
        moves = play_to_the_end(running, match, names, Random(5))
        with urllib.request.urlopen(f"{running.url}/rules/last-stone", timeout=120) as answer:
            page = answer.read().decode()
        status, record = running.ask(f"/api/matches/{match}/record")
    assert "whoever takes the last stone wins" in page
    assert "<figcaption>" in page
    assert status == 200
    assert [(entry["seat"], entry["move"]) for entry in record["log"]] == moves
    file = tmp_path / "record.json"
    file.write_text(json.dumps(record))
    assert "Everything in this record holds." in ran(installed, "-m", "pbem", "verify", str(file))
