"""Manifest of a backup: describes its file, and is written last, so that an incomplete backup has none."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, fields
from datetime import datetime
from typing import TYPE_CHECKING, Any

from pbem.atomic_files import atomic_write
from pbem.ops.backup import BackupError

if TYPE_CHECKING:
    from pathlib import Path

FORMAT = "pbem-backup/1"
SUFFIX = ".json"


@dataclass(frozen=True, slots=True)
class Manifest:
    """Description of a backup: its file, when it was taken and from what, and who can decrypt it.

    `sealed_for` are the age recipients that it is encrypted for, `keys` the names of the service's secret keys, not the
    keys; `schema` is the database's revision, `postgres` the server's major version.
    """

    taken_at: str
    file: str
    bytes: int
    sha256: str
    sealed_for: tuple[str, ...]
    pbem: str
    schema: str
    postgres: int
    keys: tuple[str, ...]
    matches: dict[str, int]
    entries: int

    @property
    def moment(self) -> datetime:
        """When the backup was taken."""
        return datetime.fromisoformat(self.taken_at)

    @property
    def summary(self) -> str:
        """Summary of its content."""
        running = self.matches.get("running", 0)
        return f"{sum(self.matches.values()):,} matches ({running:,} running), {self.entries:,} moves and acts"

    def write(self, folder: Path) -> Path:
        """Write the manifest beside its file."""
        path = folder / (self.file.partition(".")[0] + SUFFIX)
        with atomic_write(path, 0o600) as out:
            out.write((json.dumps({"format": FORMAT, **asdict(self)}, indent=2) + "\n").encode())
        return path


def load(file: Path) -> tuple[Manifest, Path]:
    """Read a backup's manifest, by its own name or that of its file, and verify the file; returns both.

    Raises BackupError if the backup is incomplete, changed, or no backup.
    """
    path = file.with_name(file.name.partition(".")[0] + SUFFIX)
    if not path.exists():
        if not file.exists():
            raise BackupError(f"{file} does not exist.")
        raise BackupError(
            f"{file}: {path.name}, which is written last, is missing beside it: this backup is incomplete."
        )
    try:
        manifest = _parse(json.loads(path.read_bytes()))
    except OSError as error:
        raise BackupError(f"{path}: {error.strerror}.") from error
    except (ValueError, TypeError, KeyError) as error:
        raise BackupError(f"{path} is not the manifest of a backup.") from error
    dump = path.with_name(manifest.file)
    try:
        size = dump.stat().st_size
        if size != manifest.bytes:
            raise BackupError(f"{dump} has {size:,} bytes, but should have {manifest.bytes:,}.")
        with dump.open("rb") as content:
            digest = hashlib.file_digest(content, "sha256").hexdigest()
    except OSError as error:
        raise BackupError(f"{dump}: {error.strerror}.") from error
    if digest != manifest.sha256:
        raise BackupError(f"{dump} was changed: its SHA-256 differs from the one in {path.name}.")
    return manifest, dump


def find_all(folder: Path) -> list[tuple[Path, Manifest]]:
    """List the backups of a folder that have a manifest, newest first."""
    found = []
    for path in folder.glob(f"pbem-*{SUFFIX}"):
        try:
            found.append((path, _parse(json.loads(path.read_bytes()))))
        except (OSError, ValueError, TypeError, KeyError):
            continue
    return sorted(found, key=lambda one: one[1].taken_at, reverse=True)


def _parse(data: Any) -> Manifest:
    if data["format"] != FORMAT or "/" in data["file"]:
        raise ValueError(data["format"])
    values = {field.name: data[field.name] for field in fields(Manifest)}
    manifest = Manifest(**values | {name: tuple(values[name]) for name in ("sealed_for", "keys")})
    _ = manifest.moment, manifest.bytes + manifest.postgres, manifest.summary
    return manifest
