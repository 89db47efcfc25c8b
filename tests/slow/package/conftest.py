"""The package, built once from a clone with what somebody who runs it there has left lying about."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.deploy.clones import clone
from tests.support.left_out import left_out

LEFT = ("deploy/container/pbem.env", "deploy/container/backups/pbem-1.json", "docs/pbem-dkim.pem", "data/secret-keys")
ASKED = ("download", "--quiet", "--no-deps", "--retries", "2", "setuptools>=77")


@dataclass(frozen=True, slots=True)
class Built:
    """The two files of a release."""

    wheel: Path
    source: Path


@pytest.fixture(scope="session")
def index(tmp_path_factory: pytest.TempPathFactory) -> None:
    """An index of packages that answers, from which whole environments are installed."""
    command = (sys.executable, "-m", "pip", *ASKED, "--dest", str(tmp_path_factory.mktemp("index")))
    if subprocess.run(command, capture_output=True, check=False).returncode:
        left_out("an index of packages", "connect this machine to PyPI")


@pytest.fixture(scope="session")
def built(index: None, tmp_path_factory: pytest.TempPathFactory) -> Built:  # noqa: ARG001 (asked first)
    """A release as `make dist` builds it, which checks its metadata too."""
    here = tmp_path_factory.mktemp("clone")
    clone(here)
    for name in LEFT:
        (here / name).parent.mkdir(exist_ok=True)
        (here / name).write_text("secret")
    # The tools are those of this environment.
    command = ("make", "-o", ".venv/tools-installed", f"BIN={Path(sys.executable).parent}", "dist")
    done = subprocess.run(command, cwd=here, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,), (source,) = (here / "dist").glob("*.whl"), (here / "dist").glob("*.tar.gz")
    return Built(wheel, source)
