"""The way from an empty server: its files are there, and are taken by those who read them."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.support.left_out import program
from tests.support.places import ROOT

if TYPE_CHECKING:
    from pathlib import Path

UNITS = sorted((ROOT / "deploy" / "systemd").rglob("pbem*"))
MAX_EXPOSURE = 45
"""What `systemd-analyze security` may find at most, in tenths: up to 4.5 it calls a unit OK."""


@pytest.mark.parametrize("folder", sorted({unit.parent for unit in UNITS}), ids=lambda folder: folder.name)
def test_systemd_takes_the_units(folder: Path, tmp_path: Path) -> None:
    analyze = program("systemd-analyze", "systemd")
    units = [unit for unit in UNITS if unit.parent == folder]
    for unit in units:
        # The program stands elsewhere here, and so does the account that is made for it.
        text = re.sub(r"/opt/pbem/bin/\w+", sys.executable, unit.read_text()).replace("=pbem\n", "=root\n")
        (tmp_path / unit.name).write_text(text)
    copies = [str(tmp_path / unit.name) for unit in units]
    told = subprocess.run([analyze, "verify", "--man=no", *copies], capture_output=True, text=True, check=False)
    complaints = [line for line in told.stderr.splitlines() if str(tmp_path) in line or "pbem" in line]
    assert complaints == []


@pytest.mark.parametrize(
    "unit", [unit for unit in UNITS if unit.suffix == ".service"], ids=lambda unit: f"{unit.parent.name}/{unit.name}"
)
def test_a_unit_gives_its_program_no_more_of_the_machine_than_it_needs(unit: Path) -> None:
    analyze = program("systemd-analyze", "systemd")
    command = [analyze, "security", "--offline=true", f"--threshold={MAX_EXPOSURE}", str(unit)]
    told = subprocess.run(command, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stdout.splitlines()[-1:]


def test_caddy_itself_reads_its_file() -> None:
    caddy = program("caddy", "caddy")
    file = ROOT / "deploy" / "caddy" / "Caddyfile"
    told = subprocess.run([caddy, "adapt", "--config", str(file)], capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr
