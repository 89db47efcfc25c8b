"""Somebody without a clone of the project: an empty folder, its environment, and the commands typed there."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.support.live_service import started

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.support.live_service import LiveService

INDEX = ("PIP_", "SSL_", "REQUESTS_", "HTTP_", "HTTPS_", "NO_PROXY")
"""Beginnings of the variables that say how this machine reaches an index of packages."""


@dataclass(frozen=True, slots=True)
class Stranger:
    """Somebody with an empty folder and a Python environment; `pbem` is what they type to run the program."""

    folder: Path
    python: Path
    pbem: tuple[str, ...] = ("pbem",)

    @property
    def environment(self) -> dict[str, str]:
        """Return all variables of their shell."""
        return index_variables() | {
            "HOME": str(self.folder),
            "PATH": f"{self.python}/bin:/usr/bin:/bin",
            # How full this machine's disk is, is no matter of tests.
            "PBEM_MIN_FREE_DISK": "off",
        }

    def typed(self, *words: str) -> str:
        """Run a command in their folder; return what it printed."""
        return said(*words, folder=self.folder, environment=self.environment)

    def ran(self, *words: str) -> str:
        """Run a command of the program; return what it printed."""
        return self.typed(*self.pbem, *words)

    @contextmanager
    def service(self) -> Iterator[LiveService]:
        """Run their service for as long as a `with` block lasts."""
        with started(self.pbem, self.folder / "data", self.environment, self.folder) as service:
            yield service


def index_variables() -> dict[str, str]:
    """Return the variables by which this machine reaches an index; what it has fetched before is fetched no more."""
    reached = {name: value for name, value in os.environ.items() if name.upper().startswith(INDEX)}
    return reached | {"PIP_CACHE_DIR": said(sys.executable, "-m", "pip", "cache", "dir")}


def settled(folder: Path, *packages: str) -> Stranger:
    """Make somebody an environment with some packages from the index."""
    stranger = Stranger(folder, folder / "python")
    said(sys.executable, "-m", "venv", str(stranger.python))
    stranger.typed("pip", "install", "--quiet", *packages)
    return stranger


def said(*words: str, folder: Path | None = None, environment: dict[str, str] | None = None) -> str:
    """Run a program that must succeed; return what it printed."""
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (words, done.stdout, done.stderr)
    return done.stdout.strip()
