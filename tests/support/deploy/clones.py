"""A clone of the project as it stands: what is committed or about to be."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

from tests.support.places import ROOT

if TYPE_CHECKING:
    from pathlib import Path


def git(where: Path, *words: str, said: str = "") -> str:
    """Run git in a folder; return what it printed."""
    run = subprocess.run(["git", *words], cwd=where, input=said, capture_output=True, text=True, check=False)  # noqa: S607
    assert run.returncode in {0, 1}, run.stderr
    return run.stdout


def kept_files(*below: str) -> set[str]:
    """List the files that are committed or about to be, as paths from the root."""
    listed = git(ROOT, "ls-files", "--cached", "--others", "--exclude-standard", "--", *below).splitlines()
    return {name for name in listed if (ROOT / name).is_file()}


def clone(target: Path) -> None:
    """Copy the files that are kept into a folder."""
    for name in kept_files():
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, target / name)
