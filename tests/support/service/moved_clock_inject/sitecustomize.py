"""Loaded by every Python process of a service whose time is moved: its time is that of a file, which goes on."""

from __future__ import annotations

import importlib
import os
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

FILE = Path(os.environ.get("MOVED_CLOCK", "/nonexistent"))
PARTS = ("workers.smtp_server", "workers.app", "gunicorn")


def moved_time() -> datetime:
    """Return the present, moved by the seconds in the file."""
    return datetime.now(UTC) + timedelta(seconds=float(FILE.read_text()))


def _move() -> None:
    said = " ".join(sys.orig_argv)
    if FILE.is_file() and any(part in said for part in PARTS):
        context: Any = importlib.import_module("pbem.play.core.context")
        context.system_time = moved_time


_move()
