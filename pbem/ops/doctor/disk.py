"""Check that the disks of the service have enough free space on this machine."""

from __future__ import annotations

import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from pbem.disk_usage import Disk, Floor, measure
from pbem.ops.doctor.check import Check, CheckContext, Result, Results, failed, passed, warned

if TYPE_CHECKING:
    from collections.abc import Iterator

WARN_FLOOR = Floor(0.10, 2_000_000_000)
"""Minimum of free space without a warning; the minimum for service is a setting."""


def _check_disks(context: CheckContext) -> Results:
    seen: set[int] = set()
    for disk in filter(None, map(measure, _folders(context))):
        if disk.device not in seen:
            seen.add(disk.device)
            yield disk_result(disk, context.config.min_free_disk)


def _folders(context: CheckContext) -> Iterator[Path]:
    """Yield the folders that are written to: the database's if it is local and visible, then others."""
    with suppress(SQLAlchemyError), context.engine.connect() as connection:
        yield Path(str(connection.execute(text("SHOW data_directory")).scalar_one()))
    if context.config.data_folder:
        yield Path(context.config.data_folder)
    if context.config.is_mail_local:
        yield Path(unquote(urlsplit(context.config.smtp_url).path))
    yield Path.cwd()
    yield Path(tempfile.gettempdir())


def disk_result(disk: Disk, floor: Floor) -> Result:
    """Return the result for a disk and the required minimum of free space."""
    if disk.is_below(floor):
        return failed(f"Only {disk}.", "Free some space at once: no moves are accepted until then.")
    if disk.is_below(WARN_FLOOR):
        return warned(f"Only {disk}.", "Free some space: remove old backups and logs, or enlarge the disk.")
    return passed(f"{disk}.")


CHECKS = (Check("disk", _check_disks),)
