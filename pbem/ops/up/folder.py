"""The data folder of the service, locked by one running service."""

import contextlib
import fcntl
import os
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pbem import env_file
from pbem.ops.up.errors import StartError


class InUseError(StartError):
    """A running service holds the data folder."""


@dataclass(frozen=True, slots=True)
class DataFolder:
    """Paths inside the data folder."""

    path: Path

    @property
    def postgres(self) -> Path:
        """Folder of the database."""
        return self.path / "postgres"

    @property
    def valkey(self) -> Path:
        """Folder of the broker."""
        return self.path / "valkey"

    @property
    def mail(self) -> Path:
        """Folder of the local mailboxes."""
        return self.path / "mail"

    @property
    def logs(self) -> Path:
        """Folder of the parts' logs."""
        return self.path / "log"

    @property
    def run(self) -> Path:
        """Folder of files needed only while the service runs."""
        return self.path / "run"

    @property
    def settings(self) -> Path:
        """File with the settings of the running parts, for operators."""
        return self.run / "settings"

    def log(self, name: str) -> Path:
        """Return the log file of a part."""
        return self.logs / f"{name}.log"

    def secret_keys(self) -> str:
        """Read the secret keys, oldest first, separated by commas; create one if there is none."""
        file = self.path / "secret-keys"
        if not file.exists():
            env_file.write(file, f"{secrets.token_hex(32)}\n")
        keys = ",".join(file.read_text().split())
        if not keys:
            raise StartError(f"The file {file} holds no key: restore it, or remove it to create a new one.")
        return keys


@contextlib.contextmanager
def lock_data_folder(path: Path) -> Iterator[DataFolder]:
    """Create the data folder if needed, and lock it within the block."""
    folder = DataFolder(path.absolute())
    try:
        create_folders(folder)
        lock = os.open(folder.path / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise StartError(f"The data folder {folder.path} cannot be written: {error.strerror}.") from error
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise InUseError(
                f"The data folder {folder.path} is in use by another pbem: choose another with --data.",
            ) from error
        yield folder
    finally:
        os.close(lock)


def create_folders(folder: DataFolder) -> None:
    """Create the folder and its subfolders, with private modes."""
    if not folder.path.exists():
        # If root's PostgreSQL runs as nobody, that user must be able to enter; the folders inside stay private.
        folder.path.mkdir(mode=0o711 if os.geteuid() == 0 else 0o700, parents=True)
    for inner in (folder.postgres, folder.valkey, folder.mail, folder.logs, folder.run):
        inner.mkdir(mode=0o700, exist_ok=True)
