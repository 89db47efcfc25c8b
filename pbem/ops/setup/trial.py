"""The first trial: the service runs for a moment, the doctor looks at it, and one mail goes out and comes back."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from pbem import env_file
from pbem.config import from_environment
from pbem.ops.doctor import telling
from pbem.ops.up.folder import DataFolder, InUseError, data_folder

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

FAILED = 1
OURS = ("PBEM_", "DATABASE_URL", "REDIS_URL")
STOPPING = 20
"""Seconds in which the service has stopped."""


def tried(
    file: Path, data: Path, port: int, *, without: Collection[str] = (), resolver: str | None, patience: float
) -> int:
    """Have the doctor look at the service that these settings make; gives the status."""
    with _running(file, data, port) as here:
        if here is None:
            return FAILED
        config = from_environment(env_file.read(here))
        return telling.doctor(config, without=without, resolver=resolver, patience=patience, settings=file)


@contextmanager
def _running(file: Path, data: Path, port: int) -> Iterator[Path | None]:
    """Run the service for as long as a `with` block lasts; gives the file of what its parts were told."""
    folder = DataFolder(data.absolute())
    if _is_in_use(data):
        click.echo("The service runs already, with the settings that it was started with: restart it to use these.")
        yield folder.settings
        return
    command = (sys.executable, "-m", "pbem", "--settings", str(file), "up", "--data", str(data), "--port", str(port))
    # What the file says is to be tried, not what this shell happens to know.
    environment = {name: value for name, value in os.environ.items() if not name.startswith(OURS)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as service:  # noqa: S603 -- ours
        try:
            lines = iter(service.stdout or ())
            ready = any(line.startswith("ready ") for line in lines)
            yield folder.settings if ready else None
        finally:
            service.send_signal(signal.SIGTERM)
            service.communicate(timeout=STOPPING)


def _is_in_use(data: Path) -> bool:
    try:
        with data_folder(data):
            return False
    except InUseError:
        return True
