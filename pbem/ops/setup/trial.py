"""The first trial: runs the service for a moment, checks it with the doctor, and sends one mail out and back."""

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
from pbem.ops.doctor import report
from pbem.ops.up.folder import DataFolder, InUseError, lock_data_folder

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

FAILED = 1
SETTING_PREFIXES = ("PBEM_", "DATABASE_URL", "REDIS_URL")
STOP_SECONDS = 20
"""Seconds to wait until the service has stopped."""


def run_trial(
    file: Path, data: Path, port: int, *, without: Collection[str] = (), resolver: str | None, patience: float
) -> int:
    """Run the doctor on the service with these settings; returns the exit status."""
    with _running_service(file, data, port) as here:
        if here is None:
            return FAILED
        config = from_environment(env_file.read(here))
        return report.doctor(config, without=without, resolver=resolver, patience=patience, settings=file)


@contextmanager
def _running_service(file: Path, data: Path, port: int) -> Iterator[Path | None]:
    """Run the service within the block; yields the file with the settings of its parts, or None if it did not start."""
    folder = DataFolder(data.absolute())
    if _is_in_use(data):
        click.echo("The service runs already, with the settings that it was started with: restart it to use these.")
        yield folder.settings
        return
    command = (sys.executable, "-m", "pbem", "--settings", str(file), "up", "--data", str(data), "--port", str(port))
    # Try the settings of the file, not those of this shell.
    environment = {name: value for name, value in os.environ.items() if not name.startswith(SETTING_PREFIXES)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as service:  # noqa: S603 -- ours
        try:
            lines = iter(service.stdout or ())
            ready = any(line.startswith("ready ") for line in lines)
            yield folder.settings if ready else None
        finally:
            service.send_signal(signal.SIGTERM)
            service.communicate(timeout=STOP_SECONDS)


def _is_in_use(data: Path) -> bool:
    try:
        with lock_data_folder(data):
            return False
    except InUseError:
        return True
