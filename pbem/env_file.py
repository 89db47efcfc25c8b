"""Settings files with one `NAME=value` per line, as systemd, Docker and mail servers read them too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.atomic_files import atomic_write

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

OWNER_ONLY_MODE = 0o600
"""File mode of settings: anyone who can read them can sign in as anybody, so only their owner may."""


def read(file: Path) -> dict[str, str]:
    """Read the settings of a file; empty lines and lines that begin with # are skipped."""
    lines = (line.strip() for line in file.read_text().splitlines())
    pairs = (line.removeprefix("export ").partition("=") for line in lines if line and not line.startswith("#"))
    return {name.strip(): value.strip().strip("\"'") for name, _, value in pairs}


def write(file: Path, text: str) -> None:
    """Write a file atomically, readable by its owner only."""
    with atomic_write(file, OWNER_ONLY_MODE) as out:
        out.write(text.encode())


def render(settings: Mapping[str, str]) -> str:
    """Format settings as the lines of a file."""
    return "".join(f"{name}={value}\n" for name, value in settings.items())
