"""The way from an empty server: its commands are those that there are, its files are taken by those who read them."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import click
import pytest

from pbem.cli import main
from tests.outside import ROOT

if TYPE_CHECKING:
    from pathlib import Path

UNITS = sorted((ROOT / "deploy" / "systemd").glob("pbem*"))
PAGE = (ROOT / "docs" / "deploy.md").read_text()


def commands(text: str) -> list[str]:
    """Find the commands of ours that stand on lines of their own, or start a service."""
    lines = (line.strip() for line in text.splitlines() if line.startswith(("    ", "ExecStart=")))
    return [line for line in lines if "/bin/pbem " in line]


@pytest.mark.parametrize("line", [*commands(PAGE), *(line for unit in UNITS for line in commands(unit.read_text()))])
def test_each_command_is_one_that_there_is(line: str) -> None:
    words = line.partition("/bin/pbem ")[2].split()
    context = click.Context(main)
    at = 0
    while words[at].startswith("-"):
        assert words[at] in {option for each in main.params for option in each.opts}, line
        at += 2
    found = main.get_command(context, words[at])
    assert found is not None, line
    known = {option for each in found.params for option in (*each.opts, *each.secondary_opts)}
    assert {word for word in words[at + 1 :] if word.startswith("--")} <= known, line


def test_some_commands_are_looked_at() -> None:
    assert len(commands(PAGE)) >= 3
    assert len(UNITS) >= 3


def test_each_file_that_is_named_is_there() -> None:
    for name in re.findall(r"(deploy/[\w./-]+\w)", PAGE):
        assert list(ROOT.glob(f"{name}*")), name
    for target in re.findall(r"\]\(([\w.-]+\.md)", PAGE):
        assert (ROOT / "docs" / target).exists(), target


def test_systemd_takes_the_units(tmp_path: Path) -> None:
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip("NOT CHECKED: there is no systemd-analyze here")
    for unit in UNITS:
        # The program stands elsewhere here, and so does the account that is made for it.
        text = unit.read_text().replace("/opt/pbem/bin/pbem", sys.executable).replace("=pbem\n", "=root\n")
        (tmp_path / unit.name).write_text(text)
    units = [str(tmp_path / unit.name) for unit in UNITS]
    told = subprocess.run([program, "verify", "--man=no", *units], capture_output=True, text=True, check=False)
    complaints = [line for line in told.stderr.splitlines() if str(tmp_path) in line or "pbem" in line]
    assert complaints == []
