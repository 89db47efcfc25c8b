"""The first trial: runs the service for a moment, checks it with the doctor, and sends one mail out and back."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from pbem import env_file
from pbem.config import from_environment
from pbem.ops.doctor import report
from pbem.ops.up.folder import DataFolder, InUseError, lock_data_folder

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FAILED = 1
SETTING_PREFIXES = ("PBEM_", "DATABASE_URL", "REDIS_URL")
STOP_SECONDS = 20
"""Seconds to wait until the service has stopped."""


@dataclass(frozen=True, slots=True)
class TrialOptions:
    """Options of the trial: data folder and port of the service, and options of the doctor."""

    data: Path
    port: int
    resolver: str | None
    patience: float
    without: tuple[str, ...] = ()


def run_trial(file: Path, trial: TrialOptions) -> int:
    """Run the doctor on the service with the settings of a file; returns the exit status."""
    with _running_service(file, trial.data, trial.port) as settings:
        if settings is None:
            return FAILED
        config = from_environment(env_file.read(settings))
        return report.doctor(
            config, without=trial.without, resolver=trial.resolver, patience=trial.patience, settings=file
        )


@contextmanager
def _running_service(file: Path, data: Path, port: int) -> Iterator[Path | None]:
    """Run the service within the block; yields the file with the settings of its parts, or None if it did not start."""
    folder = DataFolder(data.absolute())
    if _is_in_use(data):
        click.echo("The service is already running, with its previous settings: restart it to use these.")
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
