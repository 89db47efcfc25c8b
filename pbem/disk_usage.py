"""Disks of this machine: how much space is free, and whether that is enough."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Floor:
    """Minimum of free disk space: a share of the disk, and a number of bytes."""

    share: float = 0.05
    size: int = 500_000_000


@dataclass(frozen=True, slots=True)
class Disk:
    """A disk, identified by a folder on it: its device number and its sizes in bytes."""

    folder: Path
    device: int
    free: int
    size: int

    def is_below(self, floor: Floor, times: float = 1.0) -> bool:
        """Return whether less space is free than required."""
        return self.free < times * max(floor.share * self.size, floor.size)

    def __str__(self) -> str:
        return f"{self.free / 1e9:.1f} GB of {self.size / 1e9:.1f} GB are free at {self.folder}"


def measure(folder: Path) -> Disk | None:
    """Measure the disk of a folder; None if the folder does not exist here or is not accessible."""
    try:
        stat, device = os.statvfs(folder), folder.stat().st_dev
    except OSError:
        return None
    return Disk(folder, device, stat.f_bavail * stat.f_frsize, stat.f_blocks * stat.f_frsize)
