"""What is installed from a clone is what stands in it now, and nothing of what stood there before."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.support.deploy.clones import clone

GONE = Path("pbem/ops/doctor/gone.py")


def wheel(clone: Path) -> set[str]:
    """Build a wheel as `pip install .` does; the names in it."""
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", "made", "."]
    subprocess.run(command, cwd=clone, check=True)
    (made,) = (clone / "made").iterdir()
    with ZipFile(made) as archive:
        return set(archive.namelist())


@pytest.mark.usefixtures("index")
def test_a_module_that_is_gone_is_installed_no_more(tmp_path: Path) -> None:
    clone(tmp_path)
    (tmp_path / GONE).write_text("")
    before = wheel(tmp_path)
    assert "pbem/locale/de/LC_MESSAGES/pbem.mo" in before
    (tmp_path / GONE).unlink()
    assert before - wheel(tmp_path) == {str(GONE)}
