"""Check that the disks of the service have enough free space on this machine."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from pbem.disks import Floor, measure
from pbem.ops.doctor.check import Check, failed, passed, warned

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.disks import Disk
    from pbem.ops.doctor.check import CheckContext, Result

WARN_FLOOR = Floor(0.10, 2_000_000_000)
"""Minimum of free space without a warning; the minimum for service is a setting."""


def _check_disks(ground: CheckContext) -> Iterator[Result]:
    seen: set[int] = set()
    for disk in filter(None, map(measure, _folders(ground))):
        if disk.device not in seen:
            seen.add(disk.device)
            yield disk_result(disk, ground.config.min_free_disk)


def _folders(ground: CheckContext) -> Iterator[Path]:
    """Yield the folders that are written to: the database's if it is local and visible, then others."""
    try:
        with ground.engine.connect() as connection:
            yield Path(str(connection.execute(text("SHOW data_directory")).scalar_one()))
    except SQLAlchemyError:
        pass
    if ground.config.data_folder:
        yield Path(ground.config.data_folder)
    if ground.config.is_mail_local:
        yield Path(unquote(urlsplit(ground.config.smtp_url).path))
    yield Path.cwd()
    yield Path(tempfile.gettempdir())


def disk_result(disk: Disk, floor: Floor) -> Result:
    """Return the result for a disk and the required minimum of free space."""
    if disk.is_below(floor):
        return failed(f"Only {disk}.", "Make room at once: nothing new is taken until there is.")
    if disk.is_below(WARN_FLOOR):
        return warned(f"Only {disk}.", "Make room: remove old backups and logs, or enlarge the disk.")
    return passed(f"{disk}.")


CHECKS = (Check("disk", _check_disks),)
