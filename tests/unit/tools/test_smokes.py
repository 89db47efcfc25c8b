"""Each command that measures has a `--smoke`, and `make smoke` runs it."""

from __future__ import annotations

import re
import runpy
import sys

import pytest

from benchmarks import smoke
from benchmarks.options import Options
from tests.support.places import ROOT

MAKEFILE = (ROOT / "Makefile").read_text()
OTHERS = {
    "help": "prints what stands in the Makefile",
    "setup": "installs",
    "up": "runs until it is stopped; benchmarks/up.py starts and stops it",
    "test": "runs tests",
    "test-unit": "runs tests",
    "test-e2e": "runs tests",
    "test-slow": "runs tests",
    "test-api": "runs tests",
    "test-attempts": "runs tests",
    "test-package": "runs tests",
    "check": "calls other targets",
    "coverage": "calls another target",
    "lint": "reads, and changes nothing",
    "types": "reads, and changes nothing",
    "imports": "reads, and changes nothing",
    "docs": "runs a program of others",
    "dist": "runs programs of others",
    "format": "runs a program of others",
    "smoke": "is what runs the others",
    "constraints": "installs the newest of everything from the network, for minutes, and writes what that was",
    "clean": "deletes",
}
"""Targets that `make smoke` has nothing to run for, and why not."""
COMMANDS = smoke.found()


def targets() -> dict[str, str]:
    """Read the targets of the Makefile that are typed, each with its lines."""
    found = re.findall(r"^([a-z0-9-]+):.*\n((?:\t.*\n|(?:if|else|endif).*\n)*)", MAKEFILE, re.MULTILINE)
    return dict(found)


def test_commands_are_found() -> None:
    assert len(COMMANDS) > 20
    assert {"benchmarks/tick.py", "docs/take_pictures.py", "tests/faults/__main__.py"} <= COMMANDS.keys()
    assert all((ROOT / file).is_file() for file in COMMANDS)


def test_each_target_is_run_or_has_a_reason() -> None:
    run = {name for name, lines in targets().items() if set(smoke.RUN.findall(lines))} - {"smoke"}
    named = {smoke.file_of(words) for name in run for words in smoke.RUN.findall(targets()[name])}
    assert run | OTHERS.keys() == targets().keys()
    assert run & OTHERS.keys() == set()
    assert named <= COMMANDS.keys()
    assert all(OTHERS.values())


@pytest.mark.parametrize("file", COMMANDS)
def test_each_command_takes_it(file: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    # One that reads no options would begin with its work here.
    assert re.search(r"(?:ArgumentParser|Options)\(", (ROOT / file).read_text())
    monkeypatch.setattr(sys, "argv", [file, "--help"])
    monkeypatch.setattr(sys, "path", [*sys.path])
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(ROOT / file), run_name="__main__")
    assert ended.value.code == 0
    assert "--smoke" in capsys.readouterr().out


def told(*words: str) -> dict[str, object]:
    options = Options("about")
    options.number("--moves", 1000, 3)
    options.numbers("--sizes", (1, 2), (4,))
    return {name: value for name, value in vars(options.told(words)).items() if name != "smoke"}


def test_small_numbers_are_taken_unless_others_are_told() -> None:
    assert told() == {"moves": 1000, "sizes": (1, 2)}
    assert told("--smoke") == {"moves": 3, "sizes": (4,)}
    assert told("--moves", "7", "--smoke") == {"moves": 7, "sizes": (4,)}
