"""Disks: wherever this machine keeps something of the service, there is room for more."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from pbem.doctor.check import Check, failed, passed, warned

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.doctor.check import Ground, Said

FULL, NEARLY = (0.05, 500_000_000), (0.10, 2_000_000_000)
"""What part of a disk, and how many bytes, must be free at least: that all works, and that nobody need worry."""


def _room(ground: Ground) -> Iterator[Said]:
    seen: set[int] = set()
    for folder in _folders(ground):
        try:
            device, usage = folder.stat().st_dev, shutil.disk_usage(folder)
        except OSError:
            # Not of this machine, or not ours to look at.
            continue
        if device not in seen:
            seen.add(device)
            yield free(folder, usage.free, usage.total)


def _folders(ground: Ground) -> Iterator[Path]:
    """Name the folders that something is written to: the database's where it is here and tells, then others."""
    try:
        with ground.engine.connect() as connection:
            yield Path(str(connection.execute(text("SHOW data_directory")).scalar_one()))
    except SQLAlchemyError:
        pass
    if ground.config.stays_here:
        yield Path(unquote(urlsplit(ground.config.smtp_url).path))
    yield Path.cwd()
    yield Path(tempfile.gettempdir())


def free(folder: Path, left: int, total: int) -> Said:
    """Say what it means that so many bytes of a folder's disk are left."""
    where = f"{left / 1e9:.1f} GB of {total / 1e9:.1f} GB are free below {folder}"
    if left < FULL[0] * total or left < FULL[1]:
        return failed(f"Only {where}.", "Make room at once: when it is full, nothing can be kept.")
    if left < NEARLY[0] * total or left < NEARLY[1]:
        return warned(f"Only {where}.", "Make room: remove old backups and logs, or enlarge the disk.")
    return passed(f"{where}.")


CHECKS = (Check("disk", _room),)
