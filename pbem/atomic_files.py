"""Atomic file writes, and folders locked for one process."""

from __future__ import annotations

import fcntl
import os
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@contextmanager
def exclusive_lock(folder: Path) -> Iterator[None]:
    """Lock a folder for this process; raises BlockingIOError if another process holds it."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(handle)


@contextmanager
def atomic_write(path: Path, mode: int = 0o666) -> Iterator[IO[bytes]]:
    """Write a file atomically: it replaces the old one once it is on disk; on failure nothing is left of it."""
    partial = path.with_name(f".{path.name}.part")
    partial.unlink(missing_ok=True)
    try:
        with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
