"""What is installed from a clone is what stands in it now, and nothing of what stood there before."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.deploy.build_context import context
from tests.outside import ROOT

GONE = Path("pbem/doctor/gone.py")
SYSTEM = tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]


def wheel(clone: Path) -> set[str]:
    """Build a wheel as `pip install .` does; the names in it."""
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", "made", "."]
    subprocess.run(command, cwd=clone, check=True)
    (made,) = (clone / "made").iterdir()
    with ZipFile(made) as archive:
        return set(archive.namelist())


@pytest.mark.slow
def test_a_module_that_is_gone_is_installed_no_more(tmp_path: Path) -> None:
    for name in context(ROOT):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / GONE).write_text("")
    before = wheel(tmp_path)
    (tmp_path / GONE).unlink()
    assert before - wheel(tmp_path) == {str(GONE)}


def test_what_a_wheel_is_built_by_is_in_an_image_and_in_a_source_distribution() -> None:
    (folder,) = SYSTEM["backend-path"]
    backend = f"{folder}/{SYSTEM['build-backend']}.py"
    assert backend in context(ROOT)
    assert backend in (ROOT / "MANIFEST.in").read_text().split()
