"""The service as anybody runs it: `pbem up` in a folder of its own, on free ports."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

UP = "from pbem.cli import main; main()"
READY = "ready "
PATIENCE = 90
GRACE = 15


@contextmanager
def service(folder: Path, *arguments: str, **environment: str) -> Iterator[str]:
    """Run the whole service for the length of a block; gives the address of its pages."""
    folder.mkdir(parents=True, exist_ok=True)
    told = {name: value for name, value in os.environ.items() if not name.startswith(("PBEM_", "DATABASE_", "REDIS_"))}
    command = (sys.executable, "-c", UP, "up", "--data", str(folder / "data"), "--port", "0", "--smtp-port", "0")
    said = folder / "said"
    with said.open("w") as out:
        process = subprocess.Popen(
            (*command, *arguments), stdout=out, stderr=subprocess.STDOUT, env=told | environment, cwd=folder
        )
    try:
        yield _address(process, said)
    finally:
        process.terminate()
        process.wait(GRACE)


def _address(process: subprocess.Popen[bytes], said: Path) -> str:
    until = time.monotonic() + PATIENCE
    while process.poll() is None and time.monotonic() < until:
        for line in said.read_text().splitlines():
            if line.startswith(READY):
                return line.removeprefix(READY)
        time.sleep(0.1)
    raise RuntimeError(f"pbem up did not become ready:\n{said.read_text()}")
