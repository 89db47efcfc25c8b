"""Disks: wherever this machine keeps something of the service, there is room for more."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from pbem.disks import Floor, measured
from pbem.ops.doctor.check import Check, failed, passed, warned

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.disks import Disk
    from pbem.ops.doctor.check import Ground, Said

NEARLY = Floor(0.10, 2_000_000_000)
"""How much should be free at least, so that nobody need worry; that all works, the settings say."""


def _room(ground: Ground) -> Iterator[Said]:
    seen: set[int] = set()
    for disk in filter(None, map(measured, _folders(ground))):
        if disk.device not in seen:
            seen.add(disk.device)
            yield told(disk, ground.config.floor)


def _folders(ground: Ground) -> Iterator[Path]:
    """Name the folders that something is written to: the database's where it is here and tells, then others."""
    try:
        with ground.engine.connect() as connection:
            yield Path(str(connection.execute(text("SHOW data_directory")).scalar_one()))
    except SQLAlchemyError:
        pass
    if ground.config.data:
        yield Path(ground.config.data)
    if ground.config.stays_here:
        yield Path(unquote(urlsplit(ground.config.smtp_url).path))
    yield Path.cwd()
    yield Path(tempfile.gettempdir())


def told(disk: Disk, floor: Floor) -> Said:
    """Say what it means that so much of a disk is free, where so much must be."""
    if disk.lacks(floor):
        return failed(f"Only {disk}.", "Make room at once: nothing new is taken until there is.")
    if disk.lacks(NEARLY):
        return warned(f"Only {disk}.", "Make room: remove old backups and logs, or enlarge the disk.")
    return passed(f"{disk}.")


CHECKS = (Check("disk", _room),)
